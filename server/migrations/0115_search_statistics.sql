-- What a search looks through, counted for the planner. It does not believe the statistics of an index that leaves rows out (those of what is deleted):
-- without these it takes every search for one that finds a handful, and reads a hundred thousand rows through an index for that.
create statistics prompt_name_stats on lower(name) from prompt;
create statistics users_searched_stats on lower(username || chr(10) || name || chr(10) || company || chr(10) || emailid || chr(10) || number) from users;
create statistics users_username_stats on lower(username) from users;
create statistics users_company_stats on lower(company) from users;
create statistics users_name_stats on lower(name) from users;
create statistics credit_entry_words_stats on lower(coalesce(reference, '') || chr(10) || coalesce(note, '')) from credit_entry;
create statistics sms_sender_name_stats on lower(name) from sms_sender;
create statistics sms_text_name_stats on lower(name) from sms_text;
analyze prompt, users, credit_entry, sms_sender, sms_text;
