-- In which order the dates of each column have day and month: 'dmy', 'mdy', or 'ask' while nobody has said it. Null: stored before orders were.
alter table base add column date_orders jsonb;
