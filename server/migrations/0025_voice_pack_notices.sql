-- Its owner is told what became of his recordings, as of voice files.
alter type notice_kind add value 'voicePackApproved';
alter type notice_kind add value 'voicePackRejected';
