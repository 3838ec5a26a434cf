#!/usr/bin/perl
# An SMPP 3.4 message centre for development and tests, on Debian's libnet-smpp-perl: a codec which the product did not write. Loopback only.
#   smsc-net-smpp.pl [--port 2775] [--password secret] [--tls-port N --cert FILE --key FILE] [--alphabet gsm7|gsm7packed|latin1] [--tps N] [--delay MS]
#                    [--shuffle MS] [--receipt MS] [--drop N] [--enquire S] [--log FILE] [--parent PID] [--quiet]
#     --port 0      takes a free one; the first line of output says which: 'listening on PORT'
#     --tls-port    TLS on that port, too (needs libio-socket-ssl-perl)
#     --tps N       answers ESME_RTHROTTLED (0x58) to what exceeds N submits in a second (0: never)
#     --delay MS    answers each submit MS later; --shuffle MS adds a random part, so answers come out of order
#     --receipt MS  sends the delivery receipt MS after the answer (300)
#     --drop N      cuts the connection, without unbind, at every N-th submit, which then stays unanswered (0: never)
#     --enquire S   asks enquire_link every S seconds (30)
#     --log FILE    appends what arrived, one line each: 'accepted ID TO FROM N/OF' and, put together again, 'message TO FROM BASE64-OF-UTF-8'
#     --parent PID  ends when that process has ended
# The destination's last two digits decide:  01 refused at submit (0x0B)   02 UNDELIV   03 EXPIRED   04 no receipt
#   05 receipt before the answer   06 receipt twice   07 submit never answered   08 throttled the first time   09 REJECTD
#   10 receipt whose text has no state, only the TLVs   11 receipt by text alone, its id in small letters   12 later segments of a message refused
#   13 refused for a fault of the gateway (0x08)   14 connection cut instead of an answer   15 the telephone answers STOP   16 it answers in Nepali: band
#   17 it answers with a long text   18 it answers with what it got   19 receipt by text alone, its id in decimal   else DELIVRD
# Any system_id binds with the right password; user 'expired' is refused with 0x0D, a wrong password with 0x0E.
# Receipts and answers go to any connection of that system_id that receives, now or later, until they are acknowledged.
# Standard output: one line per event, unless --quiet.  SIGTERM ends it.
use strict; use warnings; use utf8;
use Net::SMPP; use IO::Select; use IO::Socket::INET; use Time::HiRes qw(time); use POSIX qw(strftime); use Getopt::Long;
use Encode qw(encode decode); use MIME::Base64 qw(encode_base64);
my %o = (port => 2775, password => 'secret', tps => 0, delay => 0, shuffle => 0, receipt => 300, drop => 0, enquire => 30, quiet => 0, alphabet => 'gsm7',
  'tls-port' => 0, cert => '', key => '', log => '', parent => 0);
GetOptions(\%o, 'port=i', 'password=s', 'tls-port=i', 'cert=s', 'key=s', 'alphabet=s', 'tps=i', 'delay=i', 'shuffle=i', 'receipt=i', 'drop=i', 'enquire=i',
  'log=s', 'parent=i', 'quiet') or die "see the first lines of $0\n";
$| = 1; $SIG{PIPE} = 'IGNORE';
my $long = 'नमस्ते! यो लामो सन्देश तीन भागमा आउँछ, र प्राप्त गर्नेले ती भागहरू अक्षर अक्षर मिलाएर फेरि एउटै बनाउनुपर्छ 😀। '
  . 'दोस्रो वाक्य यहाँ छ, ताकि सन्देश साँच्चै लामो होस् र कुनै भाग नहराओस्।';
my %writes = (15 => 'STOP', 16 => 'बन्द', 17 => $long);
my $listener = Net::SMPP->new_listen('127.0.0.1', port => $o{port}, smpp_version => 0x34, interface_version => 0x34, system_type => 'SMSC', listen => 128)
  or die "cannot listen on 127.0.0.1:$o{port}: $!\n";
$o{port} = $listener->sockport;
my %child; $SIG{TERM} = $SIG{INT} = sub { kill TERM => keys %child; exit 0 };
tls_front() if $o{'tls-port'};
print "listening on $o{port}\n";
my $log; if ($o{log} ne '') { open $log, '>>', $o{log} or die "cannot write $o{log}: $!\n"; $log->autoflush(1) }

my (%client, @due, %seen, %part, %waiting);   # clients by fileno; [time, code] in order of time; deliveries by system_id, each until it is acknowledged
my ($next, $submits, $second, $in_second, $reference, $born) = (0, 0, 0, 0, int rand 256, time);
sub note { print strftime('%H:%M:%S', gmtime), ' ', @_, "\n" unless $o{quiet} }
sub later { my ($ms, $code) = @_; my $at = time + $ms / 1000; my $i = @due; $i-- while $i && $due[$i - 1][0] > $at; splice @due, $i, 0, [$at, $code] }

# ----------------------------------------------------------------------------------------------- what goes to a client
sub deliver {         # keeps it until it is acknowledged
  my ($system, %pdu) = @_;
  push @{$waiting{$system}}, { pdu => \%pdu, sent => 0 }; flush_to($system);
}
sub flush_to {
  my $system = shift; my $queue = $waiting{$system} or return;
  my ($to) = grep { $_->{system} eq $system && $_->{role} =~ /^(receiver|transceiver)$/ } values %client or return;
  for my $d (@$queue) {
    last if keys %{$to->{unanswered}} >= 100;
    next if $d->{sent};
    my $seq = $to->{conn}->deliver_sm(async => 1, %{$d->{pdu}});
    $d->{sent} = 1; $to->{unanswered}{$seq} = $d;
  }
}
sub acknowledged {
  my ($c, $pdu) = @_; my $d = delete $c->{unanswered}{$pdu->{seq}} or return;
  if ($pdu->{status}) { note(sprintf 'not taken: 0x%02X', $pdu->{status}); later(1000, sub { $d->{sent} = 0; flush_to($c->{system}) }) }
  else { @{$waiting{$c->{system}}} = grep { $_ != $d } @{$waiting{$c->{system}}}; flush_to($c->{system}) }
}
sub receipt {
  my ($system, $id, $p, $state) = @_; my $d = strftime '%y%m%d%H%M', gmtime; my $suffix = substr $p->{destination_addr}, -2;
  my %code = (DELIVRD => 2, EXPIRED => 3, UNDELIV => 5, REJECTD => 8);
  my $shown = $suffix eq '11' ? lc $id : $suffix eq '19' ? hex $id : $id;
  my $text = $suffix eq '10' ? '' : sprintf 'id:%s sub:001 dlvrd:%03d submit date:%s done date:%s stat:%s err:%03d text:', $shown, $state eq 'DELIVRD', $d, $d, $state, $state eq 'DELIVRD' ? 0 : 1;
  my @fields = $shown eq $id ? (receipted_message_id => "$id\0", message_state => pack('C', $code{$state})) : ();
  deliver($system, esm_class => 4, source_addr => $p->{destination_addr}, destination_addr => $p->{source_addr}, data_coding => 0, short_message => $text, @fields);
  note("receipt $shown $state");
}
sub write_back {      # a telephone's message, in pieces with a header where it is long
  my ($system, $p, $text) = @_; my $gsm = $text =~ /^[\x20-\x5a\x61-\x7a\n]*$/;
  my $bytes = $gsm ? $text : encode('UTF-16BE', $text); my $size = $gsm ? 153 : 134; my @pieces;
  if (length $bytes <= ($gsm ? 160 : 140)) { @pieces = ($bytes) }
  else {
    while (length $bytes) {
      my $n = $size; $n -= 2 if !$gsm && length $bytes > $n && (unpack 'n', substr $bytes, $n - 2, 2) >> 10 == 0x36;   # no half of a pair
      push @pieces, substr $bytes, 0, $n, '';
    }
  }
  $reference = ($reference + 1) % 256;
  for my $i (0 .. $#pieces) {
    my $header = @pieces > 1 ? pack('C6', 5, 0, 3, $reference, scalar @pieces, $i + 1) : '';
    deliver($system, esm_class => $header eq '' ? 0 : 0x40, source_addr => $p->{destination_addr}, destination_addr => $p->{source_addr},
      data_coding => $gsm ? 0 : 8, short_message => $header . $pieces[$i]);
  }
  note("telephone $p->{destination_addr} writes " . @pieces . ' piece(s)');
}

# --------------------------------------------------------------------------------------------- what comes from a client
sub segment_of {      # [number, of, reference, header's length]
  my $p = shift;
  if ($p->{esm_class} & 0x40) {
    my $header = substr $p->{short_message}, 0, 1 + ord $p->{short_message};
    my ($l, $id, $n, @b) = unpack 'CCC(C)*', $header;
    return [$b[2], $b[1], $b[0], length $header] if $id == 0 && $n == 3;
    return [1, 1, 0, length $header];
  }
  return [unpack('C', $p->{sar_segment_seqnum}), unpack('C', $p->{sar_total_segments}), unpack('n', $p->{sar_msg_ref_num}), 0] if defined $p->{sar_msg_ref_num};
  return [1, 1, 0, 0];
}
sub text_of {
  my ($p, $header) = @_; my $bytes = length $p->{short_message} ? substr $p->{short_message}, $header : $p->{message_payload} // '';
  return decode('UTF-16BE', $bytes) if $p->{data_coding} == 8;
  return decode('iso-8859-1', $bytes) if $p->{data_coding} == 3;
  if ($o{alphabet} eq 'gsm7packed') {
    my $bits = unpack 'b*', $bytes; my $fill = (7 - $header * 8 % 7) % 7; my $whole = length($bits) % 8 == 0;
    my @septets = map { ord pack 'b7', $_ } substr($bits, $fill) =~ /(.{7})/g;
    pop @septets if @septets && $septets[-1] == 13 && ($fill + @septets * 7) % 8 == 0;    # 03.38, 6.1.2.3.1: padding
    $bytes = pack 'C*', @septets;
  }
  return decode('gsm0338', $bytes);
}
sub heard {
  my ($c, $p, $segment) = @_; my ($number, $of, $ref, $header) = @$segment;
  my $key = join ' ', $c->{system}, $p->{source_addr}, $p->{destination_addr}, $ref, $of; my $parts = $part{$key} //= {};
  $parts->{$number} = text_of($p, $header);
  return if keys %$parts < $of;
  delete $part{$key};
  my $text = join '', map { $parts->{$_} } 1 .. $of; my $suffix = substr $p->{destination_addr}, -2;
  print {$log} "message $p->{destination_addr} $p->{source_addr} ", encode_base64(encode('UTF-8', $text), ''), "\n" if $log;
  my $answer = $suffix eq '18' ? $text : $writes{$suffix};
  later($o{receipt} + 100, sub { write_back($c->{system}, $p, $answer) }) if defined $answer;
}
sub submit {
  my ($c, $p) = @_; my $conn = $c->{conn}; my $seq = $p->{seq}; my $suffix = substr $p->{destination_addr}, -2; $submits++;
  my $answer = sub { my ($status, $id) = @_; return unless $client{$c->{fd}} && $client{$c->{fd}} == $c;
    $conn->submit_sm_resp(message_id => $id // '', seq => $seq, status => $status); note(sprintf 'submit %s -> 0x%02X %s', $p->{destination_addr}, $status, $id // '') };
  my $wait = $o{delay} + ($o{shuffle} ? int rand $o{shuffle} : 0);
  my $reply = sub { my @a = @_; $wait ? later($wait, sub { $answer->(@a) }) : $answer->(@a) };
  if ($suffix eq '14' || $o{drop} && $submits % $o{drop} == 0) { note('connection dropped'); return gone($c) }
  return $reply->(0x04) unless $c->{role} =~ /^trans/;
  if ($o{tps}) { my $w = int time; ($second, $in_second) = ($w, 0) if $w != $second; return $reply->(0x58) if ++$in_second > $o{tps} }
  return if $suffix eq '07';
  my $segment = segment_of($p);
  return $reply->(0x0B) if $suffix eq '01' || $suffix eq '12' && $segment->[0] > 1;
  return $reply->(0x08) if $suffix eq '13';
  return $reply->(0x58) if $suffix eq '08' && !$seen{$p->{destination_addr}}++;
  my $id = sprintf '%08X', (($$ + int $born) % 4096) * 1048576 + ++$next;
  print {$log} "accepted $id $p->{destination_addr} $p->{source_addr} $segment->[0]/$segment->[1]\n" if $log;
  my $state = { '02' => 'UNDELIV', '03' => 'EXPIRED', '09' => 'REJECTD' }->{$suffix} // 'DELIVRD';
  my $wanted = ($p->{registered_delivery} & 1) && $suffix ne '04'; my $system = $c->{system};
  receipt($system, $id, $p, $state) if $wanted && $suffix eq '05';
  $reply->(0, $id);
  later($wait + $o{receipt}, sub { receipt($system, $id, $p, $state) }) if $wanted && $suffix ne '05';
  later($wait + $o{receipt} + 50, sub { receipt($system, $id, $p, $state) }) if $wanted && $suffix eq '06';
  heard($c, $p, $segment);
}
sub bind_client {
  my ($c, $p) = @_; my ($m, $role) = @{{ 1 => ['bind_receiver_resp', 'receiver'], 2 => ['bind_transmitter_resp', 'transmitter'], 9 => ['bind_transceiver_resp', 'transceiver'] }->{$p->{cmd}}};
  my $status = $p->{system_id} eq 'expired' ? 0x0D : $p->{password} ne $o{password} ? 0x0E : $c->{role} ? 0x05 : 0;
  $c->{conn}->$m(system_id => 'SMSC', seq => $p->{seq}, status => $status); note(sprintf '%s %s -> 0x%02X', $m, $p->{system_id}, $status);
  return if $status;
  @$c{qw(role system)} = ($role, $p->{system_id}); flush_to($c->{system});
}
my $select = IO::Select->new($listener);
sub gone {
  my $c = shift; return unless delete $client{$c->{fd}};
  $select->remove($c->{conn}); close $c->{conn};
  $_->{sent} = 0 for values %{$c->{unanswered}};
  note("a client of $submits submits so far is gone"); flush_to($c->{system});
}
sub take {
  my $c = shift; my $conn = $c->{conn};
  my $p = do { local $SIG{__WARN__} = sub { note(@_) }; $conn->read_pdu } or return gone($c);
  my $cmd = $p->{cmd}; my $seq = $p->{seq};
  if ($cmd == 1 || $cmd == 2 || $cmd == 9) { bind_client($c, $p) }
  elsif ($cmd == 0x04) { submit($c, $p) }
  elsif ($cmd == 0x15) { $conn->enquire_link_resp(seq => $seq); note('enquire_link') }
  elsif ($cmd == 0x06) { $conn->unbind_resp(seq => $seq); note('unbind'); gone($c) }
  elsif ($cmd == 0x80000005) { acknowledged($c, $p) }
  elsif ($cmd & 0x80000000) { }                                    # other answers to ours
  else { note(sprintf 'command %08x', $cmd); $conn->generic_nack(seq => $seq, status => 0x03) }
}

# TLS before it, by a process for each connection: what is read there is said here in the clear.
sub tls_front {
  require IO::Socket::SSL;
  my $front = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $o{'tls-port'}, Listen => 16, ReuseAddr => 1) or die "cannot listen on 127.0.0.1:$o{'tls-port'}: $!\n";
  my $p = fork; die "fork: $!" unless defined $p;
  if ($p) { $child{$p} = 1; close $front; return }
  close $listener; %child = (); $SIG{TERM} = $SIG{INT} = 'DEFAULT'; $SIG{CHLD} = 'IGNORE'; my $centre = getppid;
  while (getppid == $centre) {
    IO::Select->new($front)->can_read(1) or next; my $conn = $front->accept or next;
    my $q = fork; next if $q || !defined $q;
    IO::Socket::SSL->start_SSL($conn, SSL_server => 1, SSL_cert_file => $o{cert}, SSL_key_file => $o{key}) or exit 0;
    my $inside = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $o{port}) or exit 0;
    my $both = IO::Select->new($conn, $inside);
    while (1) {
      for my $from ($conn->pending ? $conn : $both->can_read) {
        sysread $from, my $bytes, 16384 or exit 0;
        my $to = $from == $conn ? $inside : $conn;
        while (length $bytes) { my $n = syswrite $to, $bytes or exit 0; substr $bytes, 0, $n, '' }
      }
    }
  }
  exit 0;
}

my $asked = time;
while (1) {
  my $pause = @due ? $due[0][0] - time : 1; $pause = 0 if $pause < 0; $pause = 1 if $pause > 1;
  for my $ready ($select->can_read($pause)) {
    if ($ready == $listener) {
      my $conn = $listener->accept or next; my $c = { conn => $conn, fd => fileno $conn, role => '', system => '', unanswered => {} };
      $client{$c->{fd}} = $c; $select->add($conn);
    } elsif (my $c = $client{fileno $ready // -1}) { take($c) }
  }
  while (@due && $due[0][0] <= time) { (shift @due)->[1]->() }
  if (time - $asked > $o{enquire}) { $asked = time; $_->{conn}->enquire_link(async => 1) for grep { $_->{role} } values %client }
  exit 0 if $o{parent} && !kill 0, $o{parent};
}
