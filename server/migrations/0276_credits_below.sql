-- A reseller's list of all below has every line of its children, also of what they got from it. The indexes credit_entry_below and
-- credit_entry_moved_below are built before this.
drop index credit_entry_children;
drop index credit_entry_moved_children;
