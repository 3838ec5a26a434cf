-- Somebody typed the right password and a wrong code of the second factor.
alter type notice_kind add value 'wrongCodes';
