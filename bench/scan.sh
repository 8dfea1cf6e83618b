#!/usr/bin/env bash
# Compares a whole scan by mcpaudit with ripgrep, which looks for the same literals in the same tree:
#
#	bench/scan.sh TREE...
#
# It prints one row for each tree. What is above 1 is slower than ripgrep:
#
#	scan      median of the scan, in medians of ripgrep
#	best      the same for the fastest runs, which other load on the machine disturbs least
#	beyond    the same for what both take beyond their start-up; "-" where ripgrep takes less than a millisecond more
#	start     start-up of mcpaudit, in medians of ripgrep: what the scan of an empty tree would cost
#
# RUNS is how often each command runs, 20 by default.
set -euo pipefail

missing=()
for tool in go rg hyperfine awk; do
	command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ "${#missing[@]}" -gt 0 ]; then
	printf 'scan.sh: not installed: %s\n' "${missing[*]}" >&2
	exit 2
fi
if [ $# -eq 0 ]; then
	printf 'usage: bench/scan.sh TREE...\n' >&2
	exit 2
fi
trees=()
for tree in "$@"; do
	if [ ! -d "$tree" ]; then
		printf 'scan.sh: not a folder: %s\n' "$tree" >&2
		exit 2
	fi
	trees+=("$(cd "$tree" && pwd)")
done

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -buildvcs=false -o "$work/mcpaudit" ./cmd/mcpaudit
go run ./bench/needles >"$work/needles"

# quietly runs a command once, which also warms the cache, and stops unless it ends with one of the codes that mean
# that it did its work. The runs that are measured may then end with any.
quietly() {
	local allowed=$1 code=0
	shift
	"$@" >"$work/out" 2>&1 || code=$?
	if [[ ! $code =~ ^($allowed)$ ]]; then
		printf 'scan.sh: exit code %d: %s\n' "$code" "$*" >&2
		cat "$work/out" >&2
		exit 1
	fi
}

printf '%6s %6s %6s %6s  %s\n' scan best beyond start tree
for tree in "${trees[@]}"; do
	audit=("$work/mcpaudit" -q --no-fail --allow-empty "$tree")
	grep=(rg -F -l -f "$work/needles" "$tree")
	quietly '0' "${audit[@]}"
	quietly '0|1' "${grep[@]}"
	hyperfine --shell=none --ignore-failure --warmup 2 --runs "${RUNS:-20}" --style none --export-csv "$work/times.csv" \
		-n scan "$(printf '%q ' "${audit[@]}")" -n rg "$(printf '%q ' "${grep[@]}")" \
		-n start "$(printf '%q ' "$work/mcpaudit" version)" -n rgstart "rg --version" >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2; exit 1; }
	# The columns are command,mean,stddev,median,user,system,min,max.
	awk -F, -v tree="${tree##*/}" '
		{ median[$1] = $4; least[$1] = $7 }
		END {
			rest = median["rg"] - median["rgstart"]
			beyond = rest < 0.001 ? "-" : sprintf("%.2f", (median["scan"] - median["start"]) / rest)
			printf "%6.2f %6.2f %6s %6.2f  %s\n", median["scan"] / median["rg"], least["scan"] / least["rg"], beyond,
				median["start"] / median["rg"], tree
		}' "$work/times.csv"
done
