"""How the vendors of vendors.py are spoken to: the dialect of OpenAI's videos, Veo and Runway, as
docs/design/video-providers.md has them. Each looks at key, path, headers, fields and their types, and notes what is wrong."""

import re

from vendors import Answer, Refusal, Vendor

SIZES = ("720x1280", "1280x720")
KEY = re.compile(r"[0-9a-f-]{36}-[1-9][0-9]*")


class OpenAIVideos(Vendor):
    """Knows a key again, as a server does that understands `Idempotency-Key`."""

    kind = "openai"

    def settings(self, origin):
        return super().settings(origin) | {"model": "model-1"}

    def identifier(self, number):
        return f"video_{number}"

    def complaint(self, status, mark, words):
        return Answer.json({"error": {"code": mark.lower(), "message": words, "type": "server_error"}}, status)

    def check_key(self, request):
        if request.headers.get("authorization") != f"Bearer {self.key}" or "api-key" in request.headers:
            raise self.refusal(401, "invalid_api_key", "the key")

    async def respond(self, request):
        parts = request.path.split("/")
        rest = parts[2:] if parts[:2] == ["v1", "videos"] else None
        if rest == [] and request.method == "POST":
            return await self.create(request)
        if rest and rest[1:] == ["remix"] and request.method == "POST":
            return await self.remix(request, self.video(rest[0]))
        if rest and len(rest) == 1 and request.method == "GET":
            return await self.status(request, self.video(rest[0]))
        if rest and rest[1:] == ["content"] and request.method == "GET":
            return await self.content(request, self.video(rest[0]))
        if rest and len(rest) == 1 and request.method == "DELETE":
            video = self.video(rest[0])
            video.cancelled = True
            return Answer.json({"id": video.id, "object": "video.deleted", "deleted": True})
        raise self.refusal(404, "not_found", "no such thing")

    async def create(self, request):
        body = request.json()
        if body is None or set(body) != {"model", "prompt", "seconds", "size"}:
            raise self.refusal(400, "unknown_parameter", f"the body: {sorted(body or {})}")
        if body["model"] != "model-1" or body["seconds"] not in ("4", "8", "12") or body["size"] not in SIZES:
            raise self.refusal(400, "invalid_value", "model, seconds or size")
        return await self.started(request, body["prompt"])

    async def remix(self, request, before):
        body = request.json()
        if body is None or set(body) != {"prompt"}:
            raise self.refusal(400, "unknown_parameter", "a remix has a prompt alone")
        if before.told is None:
            raise self.refusal(400, "not_ready", "a remix of what is not done")
        return await self.started(request, body["prompt"])

    async def started(self, request, prompt):
        if not isinstance(prompt, str) or not 1 <= len(prompt) <= 32_000:
            raise self.refusal(400, "invalid_value", "prompt")
        key = request.headers.get("idempotency-key", "")
        if not KEY.fullmatch(key):
            raise self.refusal(400, "missing_key", "idempotency-key")
        video = await self.begin(request, prompt, key)
        return Answer.json(self.shown(video, "queued", 0), moment="its id is told")

    async def status(self, request, video):
        share, moment = await self.progress(request, video)
        if share < 1:
            status = "queued" if share < 0.2 else "in_progress"
            return Answer.json(
                self.shown(video, status, int(share * 100)), headers={"openai-poll-after-ms": "2500"}, moment=moment)
        shown = self.shown(video, "completed" if video.fate == "made" else "failed", 100)
        if video.fate == "failed":
            shown["error"] = {"code": "server_error", "message": self.gossip()}
        if video.fate == "refused":
            shown["error"] = {"code": "moderation_blocked", "message": "It is against our content policy."}
        return Answer.json(shown, moment=moment)

    def shown(self, video, status, progress):
        return {
            "id": video.id, "object": "video", "status": status, "progress": progress, "created_at": 1_758_941_485,
            "model": "model-1", "prompt": video.prompt, "quality": "standard", "error": None}


class Veo(Vendor):
    """Knows no keys: who asks twice has two."""

    kind, version, pause = "veo", "v1beta", 10.0
    model = "veo-3.1-generate-preview"

    @property
    def operations(self):
        return f"models/{self.model}/operations/"

    def identifier(self, number):
        return f"op{number}"

    def complaint(self, status, mark, words):
        return Answer.json({"error": {"code": status, "message": words, "status": mark}}, status)

    def check_key(self, request):
        if request.headers.get("x-goog-api-key") != self.key or "key" in request.query:
            raise self.refusal(400, "INVALID_ARGUMENT", "API key not valid.")

    async def respond(self, request):
        if request.method == "POST" and request.path == f"v1beta/models/{self.model}:predictLongRunning":
            return await self.create(request)
        if request.method == "GET" and request.path.startswith(f"v1beta/{self.operations}"):
            return await self.status(request, self.video(request.path.rsplit("/", 1)[1]))
        match = re.fullmatch(r"(download/)?v1beta/files/([a-z0-9]+):download", request.path)
        if request.method == "GET" and match and request.query.get("alt") == "media":
            video = self.video(match[2])
            if match[1]:
                return await self.content(request, video)
            # As it does: the file itself is at another path.
            return Answer(302, headers={"location": f"/{self.name}/download/{request.path}?alt=media"})
        raise self.refusal(404, "NOT_FOUND", "no such thing")

    async def create(self, request):
        body = request.json()
        if body is None or set(body) != {"instances", "parameters"}:
            raise self.refusal(400, "INVALID_ARGUMENT", "the body")
        instances, parameters = body["instances"], body["parameters"]
        if not isinstance(instances, list) or len(instances) != 1 or set(instances[0]) != {"prompt"}:
            raise self.refusal(400, "INVALID_ARGUMENT", "instances")
        if set(parameters) != {"aspectRatio", "durationSeconds", "resolution"} or isinstance(
                parameters["durationSeconds"], (str, bool)):
            raise self.refusal(400, "INVALID_ARGUMENT", "parameters")
        if parameters["aspectRatio"] not in ("16:9", "9:16") or parameters["durationSeconds"] not in (4, 6, 8):
            raise self.refusal(400, "INVALID_ARGUMENT", "ratio or length")
        if parameters["resolution"] not in ("720p", "1080p", "4k"):
            raise self.refusal(400, "INVALID_ARGUMENT", "resolution")
        prompt = instances[0]["prompt"]
        if not isinstance(prompt, str) or not prompt:
            raise self.refusal(400, "INVALID_ARGUMENT", "prompt")
        video = await self.begin(request, prompt)
        return Answer.json({"name": self.operations + video.id}, moment="its id is told")

    async def status(self, request, video):
        share, moment = await self.progress(request, video)
        shown = {"name": self.operations + video.id}
        if share < 1:
            return Answer.json(shown | {"metadata": {"@type": "x"}}, moment=moment)
        shown["done"] = True
        if video.fate == "failed":
            shown["error"] = {"code": 13, "message": self.gossip()}
        elif video.fate == "refused":
            reasons = {"raiMediaFilteredCount": 1, "raiMediaFilteredReasons": ["It is against our rules."]}
            shown["response"] = {"generateVideoResponse": reasons}
        else:
            address = f"{request.origin}/{self.name}/v1beta/files/{video.id}:download?alt=media"
            if video.wrong and self.chance.random() < 0.5:
                video.wrong -= 1
                self.troubles["elsewhere, as an address"] += 1
                address = self.chance.choice(self.elsewhere)
            shown["response"] = {"generateVideoResponse": {"generatedSamples": [{"video": {"uri": address}}]}}
        return Answer.json(shown, moment=moment)


class Runway(Vendor):
    """Knows no keys. NB: real results lie at another host, by https; here they are at the vendor's own, since nothing else
    on this machine may be asked."""

    kind = "runway"

    def identifier(self, number):
        return f"0d6e4079-{number}"

    def complaint(self, status, mark, words):
        return Answer.json({"error": words, "code": mark}, status)

    def check_key(self, request):
        if request.headers.get("authorization") != f"Bearer {self.key}":
            raise self.refusal(401, "unauthorized", "the key")
        if request.headers.get("x-runway-version") != "2024-11-06":
            raise self.refusal(400, "bad_version", "x-runway-version")

    async def respond(self, request):
        if request.method == "POST" and request.path == "v1/text_to_video":
            return await self.create(request)
        task = re.fullmatch(r"v1/tasks/([0-9a-z-]+)", request.path)
        if task and request.method == "GET":
            return await self.status(request, self.video(task[1]))
        if task and request.method == "DELETE":
            self.video(task[1]).cancelled = True
            return Answer(204)
        result = re.fullmatch(r"results/([0-9a-z-]+)\.mp4", request.path)
        if result and request.method == "GET":
            if request.query.get("_jwt") != f"signed.{result[1]}":
                raise Refusal(Answer(403, b"<Error>AccessDenied</Error>", "application/xml"), "an address without its seal")
            return await self.content(request, self.video(result[1]))
        raise self.refusal(404, "not_found", "no such thing")

    async def create(self, request):
        body = request.json()
        if body is None or set(body) != {"model", "promptText", "ratio", "duration"} or body["model"] != "gen4.5":
            raise self.refusal(400, "bad_body", "the body")
        if body["ratio"] not in ("720:1280", "1280:720") or isinstance(body["duration"], (str, bool)):
            raise self.refusal(400, "bad_body", "ratio or duration")
        if body["duration"] not in range(2, 11):
            raise self.refusal(400, "bad_body", "duration")
        prompt = body["promptText"]
        if not isinstance(prompt, str) or not 1 <= len(prompt.encode("utf-16-le")) // 2 <= 1000:
            raise self.refusal(400, "bad_body", "promptText")
        return Answer.json({"id": (await self.begin(request, prompt)).id}, moment="its id is told")

    async def status(self, request, video):
        share, moment = await self.progress(request, video)
        shown = {"id": video.id, "createdAt": "2026-11-27T12:00:00.000Z"}
        if share < 1:
            shown |= {"status": "THROTTLED"} if share < 0.2 else {"status": "RUNNING", "progress": share}
        elif video.fate == "made":
            address = f"{request.origin}/{self.name}/results/{video.id}.mp4?_jwt=signed.{video.id}"
            if video.wrong and self.chance.random() < 0.5:
                video.wrong -= 1
                self.troubles["elsewhere, as an address"] += 1
                address = self.chance.choice(self.elsewhere)
            shown |= {"status": "SUCCEEDED", "output": [address]}
        else:
            code = "INTERNAL.BAD_OUTPUT.CODE01" if video.fate == "failed" else "SAFETY.INPUT.TEXT"
            shown |= {"status": "FAILED", "failure": self.gossip(), "failureCode": code}
        return Answer.json(shown, moment=moment)
