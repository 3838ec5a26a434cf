-- Where a call stands is written for each answered call and read only after a crash: kept as the engine writes it, nobody asks for a part of it.
alter table attempt_step alter column state type json using state::json;
