# Every target calls one short script. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help doctor run test check format lint wasm shell e2e sbom ios ios-mutants phone proof-phone proof-phone-kills bench-phone bench-phone-start proof-phone-uploads proof-optimized proof-browser proof-pipeline proof-uploads proof-kill proof-extremes proof-media proof-clips proof-attack fuzz policy sim sim-ranking fit rank-eval bench bench-swipe bench-memory bench-start bench-frames bench-size bench-decisions bench-pipeline bench-ladder bench-delivery bench-uploads bench-live bench-load bench-search bench-comments bench-ranking bench-fresh bench-people proof-generation bench-generation

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

doctor: ## what this machine has and lacks for running and for testing
	@bash scripts/doctor.sh

run: ## install what is missing, build, start on http://127.0.0.1:8080 with demo clips
	@bash scripts/run.sh

test: ## checks and tests, in a real browser too; installs what they need
	@bash scripts/test.sh

check: ## what needs no server, browser or ffmpeg, in minutes: for the hand
	@bash scripts/check.sh

lint: ## formatting, import boundaries, linkage, budgets
	@bash scripts/lint.sh

format: ## format all Swift sources in place
	@bash scripts/format.sh

wasm: ## build core.wasm, studio.wasm, upload.wasm and activity.wasm with Embedded Swift
	@bash scripts/build-wasm.sh

shell: ## write web/shell.js anew, by which the page's worker keeps the page: after a change in web/
	@bash scripts/web-shell.sh

e2e: ## the browser tests alone, without the long ones
	@bash scripts/e2e.sh

ios: ## the iPhone app as far as Linux can tell: tests of its Kit, types for iOS 18 and 26 without an SDK, its project read
	@bash scripts/ios.sh

ios-mutants: ## put typical mistakes into the iPhone's files, one at a time: at least 90 % must be told
	@bash scripts/ios-mutants.sh

sbom: ## what the built server is made of, for who watches for advisories: clipfeed.cdx.json (CycloneDX)
	@bash scripts/sbom.sh

phone: ## evenings with the iPhone's Kit as a program: real server, proxy and players, slow links; PHONE="--link 3g --swipes 1000"
	@bash scripts/phone.sh $(PHONE)

proof-phone: ## the iPhone's host over 1,000 swipes on each of four links at once: every word of the host kept
	@bash scripts/proof-phone.sh $(PHONE)

proof-phone-kills: ## kill the iPhone's host at a hundred moments of its evenings: no wrong byte on disk, feed and drafts come back
	@bash scripts/proof-phone-kills.sh $(PHONE)

bench-phone: ## the iPhone's host beside a plain pool of players on the server's HLS, in one run; PHONE="--link 3g"
	@bash scripts/bench-phone.sh $(PHONE)

bench-phone-start: ## a start of the iPhone's host without a network: what is read until the first clip is at its player
	@bash scripts/bench-phone-start.sh

proof-phone-uploads: ## the iPhone's uploads with the app killed before every single thing it does, the server killed or stopped, no room, no file: one clip each
	@bash scripts/proof-phone-uploads.sh $(PHONE)

proof-optimized: ## the tests over the wire and in browsers on the optimized server, which make test asks of the one for debugging
	@bash scripts/proof-optimized.sh

proof-browser: ## all tests in browsers: make test asks those without which nothing plays, is kept, told or uploaded
	@CLIPFEED_PROOF=browser bash scripts/e2e.sh

proof-pipeline: ## what becomes of clips: colours, loudness, sync, metadata, every structure and format, other players
	@bash scripts/proof-pipeline.sh

proof-uploads: ## all tests over the wire: 50 MB over the worst links, 20 cuts, a killed server and client; what is wrong, on both engines
	@CLIPFEED_PROOF=full bash scripts/wire-tests.sh

proof-kill: ## kill a worker, and what learns for the feed, at fifty moments: no clip lost or half visible, no blob left over, nothing unlearned
	@bash scripts/proof-kill.sh

proof-extremes: ## every route, header, parameter, cookie and JSON field with values at their ends: the next request is answered
	@bash scripts/proof-extremes.sh

proof-media: ## 300 files with hostile times, sizes, counts and tables through upload and worker: each ends in a stated code
	@CLIPFEED_PROOF=media bash scripts/wire-tests.sh -k hostile_media -s

proof-clips: ## 200 clips made by machine, and every short length: none is refused that ffmpeg plays whole
	@bash scripts/proof-clips.sh

proof-attack: ## ten minutes of 200 attackers beside ten honest people, and the worst requests one at a time (release build)
	@bash scripts/proof-attack.sh

proof-generation: ## clips from words: 100 kills at every step, 500 jobs of 50 people at a vendor that fails a third, no key anywhere; GENERATION="--kills 20"
	@bash scripts/proof-generation.sh $(GENERATION)

fuzz: ## random bytes, guided by what they reach, into every parser of strangers' bytes, half an hour each (libFuzzer)
	@bash scripts/fuzz.sh

sim: ## simulated people on simulated links under several policies: tables, and plots in simulator/out
	@bash scripts/sim.sh

fit: ## look for better numbers of the product's objective in the simulator; takes an hour or more
	@bash scripts/fit.sh

sim-ranking: ## simulated people with hidden tastes under several rankers, and a ring that pushes a clip: tables
	@bash scripts/sim-ranking.sh

rank-eval: ## the ranker on public data sets, test then train: tables with intervals; RANK="--kuairand DIR --gowalla DIR"
	@bash scripts/rank-eval.sh $(RANK)

policy: ## build the core's prefetch policy for outside simulators; prints its path
	@bash scripts/policy.sh

bench: bench-size bench-decisions bench-start bench-swipe bench-memory bench-frames bench-pipeline bench-ladder bench-delivery bench-uploads bench-live bench-load ## every benchmark, see benchmarks/README.md

bench-swipe: ## swipe to first frame, stalls, waste and quality on shaped links, beside hls.js
	@bash scripts/bench-swipe.sh

bench-memory: ## what the page holds in a session of 1,000 swipes
	@bash scripts/bench-memory.sh

bench-start: ## bytes and round trips from opening the page to the first moving frame
	@bash scripts/bench-start.sh

bench-frames: ## frame times while clips are swiped, comments open and a profile of 5,000 clips scrolls, beside a bare page
	@bash scripts/bench-frames.sh

bench-size: ## bytes of core.wasm, JavaScript, CSS and HTML
	@bash scripts/bench-size.sh

bench-decisions: ## how long the core takes to decide, as WebAssembly and natively
	@bash scripts/bench-decisions.sh

bench-pipeline: ## seconds per clip and time to its first rendition against plain ffmpeg commands
	@bash scripts/bench-pipeline.sh

bench-ladder: ## bytes and likeness of each rendition beside one of a fixed bit rate
	@bash scripts/bench-ladder.sh

bench-delivery: ## ranges of media per second and their processor time, beside nginx
	@bash scripts/bench-delivery.sh

bench-uploads: ## an upload of 50 MB beside a PUT to nginx, and the memory of 200 at once
	@bash scripts/bench-uploads.sh

bench-live: ## what 5,000 idle live connections hold, and how soon an event reaches them all
	@bash scripts/bench-live.sh

bench-load: ## feed, likes and events a second on both databases with up to a million clips, against a bare hello
	@bash scripts/bench-load.sh

bench-search: ## how long a search takes on both databases with up to a million clips
	@bash scripts/bench-search.sh

bench-comments: ## how long comments take on both databases under a clip with up to a million of them
	@bash scripts/bench-comments.sh

bench-people: ## how long profiles, inboxes, conversations and notifications take on both databases among up to a million rows, and a publication to 100,000 followers; PEOPLE="--rows 10000,10000000"
	@bash scripts/bench-people.sh $(PEOPLE)

bench-ranking: ## processor time of an impression and of a ranked page over a million made-up clips
	@bash scripts/bench-ranking.sh

bench-generation: ## clips from words: time that is ours, error of the forecast, memory of 10,000 that wait, polls a second
	@bash scripts/bench-generation.sh $(GENERATION)

bench-fresh: ## minutes from a fresh clone to the first moving frame
	@bash scripts/bench-fresh.sh
