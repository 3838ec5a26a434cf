-- Why a row gets no message of a text, by the text's no, in words; null where it gets them all, and of what was prepared before this was kept.
alter table call_text_row add withheld text[];
