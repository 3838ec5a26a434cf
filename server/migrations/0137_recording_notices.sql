-- An account is told when its recordings take most of the room that they may take, and when they take all of it.
alter type notice_kind add value 'recordingsNearlyFull';
alter type notice_kind add value 'recordingsFull';
