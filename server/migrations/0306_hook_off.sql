-- A webhook was switched off, because nothing arrived there.
alter type notice_kind add value 'hookOff';
