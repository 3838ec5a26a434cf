-- A key for a program was made, or another in its place.
alter type notice_kind add value 'keyMade';
