#!/usr/bin/env bash
# Who may read and write which table: what stands in the SQL of server/Sources against scripts/tables.txt. Names that a
# program puts together at run time are not seen.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck disable=SC2016
find server/Sources -name '*.swift' -print0 | sort -z | xargs -0 perl -e '
  use strict;
  my (%owner, %reads, %writes, $failed);
  open my $rules, "<", "scripts/tables.txt" or die;
  while (<$rules>) {
    next if /^#/ || !/\S/;
    my ($table, $owner, $read, $write) = /^(\w+): (\w+) \|([^|]*)\|([^|]*)\|/ or die "scripts/tables.txt:$.: cannot be read\n";
    $owner{$table} = $owner;
    $reads{$table}{$_} = $writes{$table}{$_} = 1 for $owner;
    $reads{$table}{$_} = 1 for split " ", "$read $write";
    $writes{$table}{$_} = 1 for split " ", $write;
  }
  my $say = sub { my ($file, $text, $at, $words) = @_; printf STDERR "%s:%d: %s\n", $file, 1 + (substr($text, 0, $at) =~ tr/\n//), $words; $failed = 1 };
  for my $file (@ARGV) {
    my ($module) = $file =~ m{Sources/(\w+)/};
    my $text = do { local $/; open my $in, "<", $file or die; <$in> };
    # Comments keep their lines.
    $text =~ s{^[ \t]*//.*$}{}mg;
    while ($text =~ /\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/g) {
      my $table = $1;
      if (!$owner{$table}) { $say->($file, $text, $-[0], "the table $table has no line in scripts/tables.txt; say there whose it is") }
      elsif ($owner{$table} ne $module) { $say->($file, $text, $-[0], "$table is of $owner{$table}, and $module makes it") }
    }
    while ($text =~ /\b(?:INSERT INTO|UPDATE|DELETE FROM|ALTER TABLE|DROP TABLE|COPY)\s+(\w+)/g) {
      $say->($file, $text, $-[0], "$module must not write $1, which is of $owner{$1}") if $owner{$1} && !$writes{$1}{$module};
    }
    while ($text =~ /\b(?:FROM|JOIN|REFERENCES)\s+(\w+)/g) {
      $say->($file, $text, $-[0], "$module must not read $1, which is of $owner{$1}") if $owner{$1} && !$reads{$1}{$module};
    }
    # Whoever keeps pages of the feed hears of it (FeedChanges).
    while ($text =~ /(\w+)\.(?:execute|query)\(\s*(?:"""\s*|")(?:UPDATE|DELETE FROM) (clips|authors)\b/g) {
      $say->($file, $text, $-[0], "a change of $2 goes by changes.execute, which tells of it") if $1 ne "changes";
    }
  }
  exit($failed ? 1 : 0);
'
echo "ok"
