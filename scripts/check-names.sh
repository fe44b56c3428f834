#!/usr/bin/env bash
# The field's language: no word of scripts/names.txt in a name that Swift or JavaScript declares, and no comment of
# Swift's beyond the columns to which the formatter holds code.
set -euo pipefail
cd "$(dirname "$0")/.."
columns=$(sed -nE 's/.*"lineLength": ([0-9]+).*/\1/p' .swift-format)
git ls-files -co --exclude-standard '*/Sources/*.swift' 'web/app/*.js' | COLUMNS_OF_CODE=$columns perl -ne '
  BEGIN {
    open my $list, "<", "scripts/names.txt" or die;
    while (<$list>) { $instead{$1} = $2 if /^(\w+) \| (.+)/ }
  }
  chomp;
  my $path = $_;
  next unless -f $path;
  open my $file, "<:encoding(UTF-8)", $path or die "$path: $!";
  my $declares = $path =~ /\.swift$/
    ? qr/\b(?:actor|case|class|enum|func|let|protocol|struct|typealias|var) `?([A-Za-z]\w*)/
    : qr/\b(?:class|const|function|let) (?:\{ )?#?([A-Za-z]\w*)|^  (?:async |static |get |#)*([a-z]\w*)\([^)]*\) \{$/;
  while (<$file>) {
    chomp;
    if (m{^\s*//}) {
      next unless $path =~ /\.swift$/ && length > $ENV{COLUMNS_OF_CODE};
      print "$path:$.: the comment has ", length, " columns of $ENV{COLUMNS_OF_CODE}\n";
      $faults++;
      next;
    }
    while (/$declares/g) {
      my $name = $1 // $2;
      for my $word (map lc, $name =~ /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) {
        next unless $instead{$word};
        print "$path:$.: \"$word\" in $name; the field says: $instead{$word}\n";
        $faults++;
      }
    }
  }
  END { exit 1 if $faults }
' && echo ok
