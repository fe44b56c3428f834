extension Setting {
  /// In the order of the configuration file.
  public static let all: [Setting] =
    [
      data, web, host, port, workers, requireSandbox, origin, allowedOrigins, proxies, connectionsPerAddress,
      sessionDays, log,
    ]
    + [database, databasePassword, databaseConnections]
    + [guestComments, guestUploads, restrictedMode]
    + [wordList, newAccountHours]
    + [mailCommand, mailFrom]
    + [signIn]
    + [appIds, apnsKeyFile, apnsKeyId, apnsTeam, apnsTopic, apnsServer, apnsCa]
    + [webPushContact, webPushAddresses]
    + [accountWebhooks, webhookAddresses]
    + [uploadMbPerDay, uploadMbOpen]
    + [captioner, captionerLanguage, captionerSeconds, captionerMb]
    + [
      generationProviders, generationCredits, generationCreditsOfAll, generationPrice, generationAtOnce,
      generationModeration, generationModerationKey, generationModerationModel,
      generationModerationPictures, generationModerationSeconds,
      generationModerationDown,
    ]
    + [s3Bucket, s3Endpoint, s3Region, s3Style, s3Prefix, s3Delivery, s3Uploads]
    + [s3AccessKey, s3SecretKey, s3SessionToken]
    + [cache, cachePassword, cacheCA]
    + [experiment, experimentShare, experimentTreatment]
    + [modelServer, modelProtocol, modelName, modelVersion, modelMs, modelIds, modelToken]
    + [logFormat, metricsHost, metricsPort, drainSeconds]

  // The instance

  public static let data = Setting(
    "data", .instance, .text, standard: "./var",
    "The folder that holds the database unless it is PostgreSQL, the media unless they are in a bucket, and work",
    advice: "Only the user that runs Clipfeed should be able to read it.")
  public static let web = Setting(
    "web", .instance, .text, standard: "../web", "The folder of the web client")
  public static let host = Setting(
    "host", .instance, .text, standard: "127.0.0.1",
    "The address to listen on",
    advice:
      "0.0.0.0 lets other devices in; behind a proxy on the same machine leave it. Beyond this machine the start warns unless "
      + "origin is https, since then passwords can be read on their way.")
  public static let port = Setting(
    "port", .instance, .number(0...65535), standard: "8080", "The port to listen on",
    advice: "0 takes any free one.")
  public static let workers = Setting(
    "workers", .instance, .number(0...256), standard: "1", "How many videos are converted at the same time",
    advice: "Each takes about two processors. 0 leaves conversion to `clipfeed work`.")
  public static let requireSandbox = Setting(
    "require-sandbox", .instance, .choice(["on", "off"]), standard: "off",
    "Whether nothing is converted where ffmpeg cannot be shut in with its job",
    advice:
      "Where the system allows no namespaces (most containers), a program that reads a stranger's file could read what the "
      + "server's user can. off converts all the same, with a warning in the log and in /readyz; on starts nothing that "
      + "converts.")
  public static let origin = Setting(
    "origin", .instance, .text,
    "The address by which people reach this server, for previews of clips and links in messages",
    advice:
      "Such as https://clips.example.org, without a path. Without it the one counts that a request names. https makes cookies "
      + "Secure and browsers stay with TLS for a year (Strict-Transport-Security): say it once TLS works.")
  public static let allowedOrigins = Setting(
    "allowed-origins", .instance, .text,
    "The origins of other sites' pages that may use the API, with spaces between",
    advice:
      "Such as https://app.example.org https://localhost:3000, exactly as browsers say them. Their pages may do what ours "
      + "does, in the name of whoever is signed in: list none but your own.")
  public static let proxies = Setting(
    "proxies", .instance, .number(0...16), standard: "0",
    "How many reverse proxies of yours stand in front, so which address of X-Forwarded-For is the caller's",
    advice:
      "One too many lets callers choose their address and so escape every limit; one too few makes all of "
      + "them one caller.")
  public static let connectionsPerAddress = Setting(
    "connections-per-address", .instance, .number(0...1_000_000), standard: "256",
    "How many connections one address may have at once, and how many streams of live events",
    advice:
      "0 sets no limit. Connections that come through proxies are theirs to limit; streams count by address there "
      + "too.")
  public static let sessionDays = Setting(
    "session-days", .instance, .number(0...36_500), standard: "365",
    "After how many days everybody has to sign in anew, however often they come",
    advice:
      "Sessions that nobody uses end after 60 days by themselves. A stolen one that its thief keeps in use ends with this number, "
      + "if its owner does not end it; a small one asks people for passwords often. 0 sets no end.")
  public static let log = Setting(
    "log", .instance, .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
    standard: "warning", hasOption: false, "From which level on the log is written")

  // The database

  public static let database = Setting(
    "database", .database, .text, "The PostgreSQL database",
    advice:
      "Such as postgres://clipfeed@db.example.org/clipfeed?sslmode=verify-full; what stands behind the question mark are "
      + "parameters of libpq. Without sslmode it is verify-full for another machine. Without the setting the database is SQLite in "
      + "the data folder. A password belongs into database-password, or into the file that the environment's PGPASSFILE names."
  )
  public static let databasePassword = Setting(
    "database-password", .database, .text, isSecret: true, "The password of the PostgreSQL database")
  public static let databaseConnections = Setting(
    "database-connections", .database, .number(1...200),
    "How many connections to PostgreSQL a process has at most",
    advice:
      "Without it twice as many as this machine has processors, at least 4 and at most 16. Those of all processes together "
      + "must fit into the server's max_connections."
  )

  // Guests

  public static let guestComments = Setting(
    "guest-comments", .guests, .choice(["on", "off"]), standard: "on",
    "Whether guests may comment, react and write messages")
  public static let guestUploads = Setting(
    "guest-uploads", .guests, .choice(["on", "off"]), standard: "on", "Whether guests may upload",
    advice: "On lets everybody who reaches the server fill its disk up to the limits below.")
  public static let restrictedMode = Setting(
    "restricted-mode", .guests, .choice(["on", "off"]), standard: "on",
    "Whether guests, and accounts that did not say that they are adults, see no clips for adults",
    advice: "off shows such clips to everybody who does not begin restricted mode themselves.")

  // What people write

  public static let wordList = Setting(
    "word-list", .writing, .text,
    "A file of words that are refused wherever people write for others, or held in comments",
    advice:
      "Each line is \"refuse WORDS\" or \"hold WORDS\". It is read again when it changes. Without it all words are taken."
  )
  public static let newAccountHours = Setting(
    "new-account-hours", .writing, .number(0...720), standard: "0",
    "For how many hours an account, and every guest, can send no links and less at once in comments and messages",
    advice: "24 keeps most of those away who come to advertise. 0 makes no difference between new and old.")

  // Messages to people

  public static let mailCommand = Setting(
    "mail-command", .mail, .text,
    "The program that takes a message on its standard input, with its arguments; {to} stands for the recipient",
    advice:
      "Such as \"/usr/sbin/sendmail -t -i\". Without it nobody is written to, and who forgot a password needs "
      + "`clipfeed accounts reset-link`. It needs mail-from and origin.")
  public static let mailFrom = Setting(
    "mail-from", .mail, .text, "The e-mail address of the sender",
    advice: "One that the mail program may send from.")

  // Signing in by others

  public static let signIn = Setting(
    "sign-in", .signIn, .text, hasOption: false,
    "By whom people can sign in beside handle and password: names that you choose, with spaces between",
    advice:
      "Such as \"google apple corp\", of a to z and digits. What is said of each has its name in it, as below of one named "
      + "corp; docs/operate.md goes through it step by step. It needs origin.")

  // Apps of Apple's systems

  public static let appIds = Setting(
    "app-ids", .apps, .text,
    "The apps that open addresses of clips and tags here, and use its passwords: Team ID, full stop, bundle id, with spaces "
      + "between",
    advice:
      "Such as A1B2C3D4E5.org.example.clipfeed. It is served at /.well-known/apple-app-site-association, which Apple fetches by "
      + "https. Such an app may be opened with every link to a clip: list none but your own.")
  public static let apnsKeyFile = Setting(
    "apns-key-file", .apps, .text,
    "The .p8 file of the key by which Apple knows who sends notifications to devices",
    advice:
      "Without it nothing is sent and no device is registered. Whoever has it can write to everybody who has your apps: chmod "
      + "600. It needs apns-key-id, apns-team and apns-topic.")
  public static let apnsKeyId = Setting("apns-key-id", .apps, .text, "The id of that key at Apple")
  public static let apnsTeam = Setting("apns-team", .apps, .text, "The Team ID at Apple")
  public static let apnsTopic = Setting(
    "apns-topic", .apps, .text, "The bundle id of the app that is written to")
  public static let apnsServer = Setting(
    "apns-server", .apps, .text, "A server to try with instead of Apple's",
    advice: "Its origin, https:// and a host. It sees what people write to each other.")
  public static let apnsCa = Setting(
    "apns-ca", .apps, .text, "The file with the certificates in PEM that vouch for that server")

  // Notifications to browsers

  public static let webPushContact = Setting(
    "web-push-contact", .browsers, .text,
    "Whom a browser's push service asks if something is wrong: mailto: or https: and an address",
    advice:
      "Without it no browser is written to. With it people can switch notifications on, and the server sends to the push "
      + "services of their browsers, which see when somebody is written to and how much, and not what. Browsers want https "
      + "for it.")
  public static let webPushAddresses = Setting(
    "web-push-addresses", .browsers, .text,
    "Addresses that are not of the open network and may be written to all the same, with spaces between",
    advice:
      "For a push service of your own, such as 10.0.0.5. Whoever signs up can have the server write to every port there."
  )

  // Webhooks

  public static let accountWebhooks = Setting(
    "account-webhooks", .webhooks, .choice(["on", "off"]), standard: "on",
    "Whether people may have addresses of their own hear of what happens to their account",
    advice:
      "Only those whose sign-in was verified, five addresses each, by https and on the open network. Your own are made with "
      + "`clipfeed webhooks`, also when this is off.")
  public static let webhookAddresses = Setting(
    "webhook-addresses", .webhooks, .text,
    "Addresses that are not of the open network and that webhooks may go to all the same, with spaces between",
    advice:
      "For a receiver of your own, such as 10.0.0.5; one of this machine may be written to by http. Whoever signs up can have "
      + "the server write to every port there, unless account-webhooks is off.")

  // Uploads

  private static let megabytes = 1...1_000_000_000

  public static let uploadMbPerDay = Setting(
    "upload-mb-per-day", .uploads, .number(megabytes), standard: "2048",
    "Megabytes that one address may upload in a day")
  public static let uploadMbOpen = Setting(
    "upload-mb-open", .uploads, .number(megabytes), standard: "20480",
    "Megabytes of all uploads that are on their way",
    advice: "The disk under the data folder needs that much beside everything else.")

  // Captions

  public static let captioner = Setting(
    "captioner", .captions, .text,
    "The program that prints captions for a sound file, with its arguments; {file} and {language} stand for those",
    advice: "docs/operate.md has an example. It runs with the rights of the server.")
  public static let captionerLanguage = Setting(
    "captioner-language", .captions, .text, standard: "en", "The language in which it writes",
    advice: "A language tag such as en or pt-BR.")
  public static let captionerSeconds = Setting(
    "captioner-seconds", .captions, .number(1...86_400), standard: "600", "Seconds it may take for a clip")
  public static let captionerMb = Setting(
    "captioner-mb", .captions, .number(1...1_048_576), standard: "8192", "Megabytes of memory it may take")

  // Clips from words

  private static let credits = 0...1_000_000_000

  public static let generationProviders = Setting(
    "generation-providers", .generation, .text, standard: drawnProvider,
    "By whom clips are made from words, in the order in which they are asked: names that you choose, with spaces between",
    advice:
      "Such as \"mine veo\", of a to z and digits. What is said of each has its name in it, as below of one named mine. The next "
      + "one is asked where one fails. drawn is there already: it draws a demonstration with ffmpeg, on this machine alone. none "
      + "makes none.")
  public static let generationCredits = Setting(
    "generation-credits", .generation, .number(credits), standard: "60",
    "Credits of a person for a day (in UTC)",
    advice:
      "What is left of a day is not added to the next. A credit is worth what you say: with the price below it "
      + "bounds what a person can cost you.")
  public static let generationCreditsOfAll = Setting(
    "generation-credits-of-all", .generation, .number(credits), standard: "1000",
    "Credits of all people together for a day", advice: "0 lets nobody have anything made.")
  public static let generationPrice = Setting(
    "generation-price", .generation, .number(1...1_000_000), standard: "1", "Credits for a second of video",
    advice: "What nobody makes in the end costs nothing.")
  public static let generationAtOnce = Setting(
    "generation-at-once", .generation, .number(1...100), standard: "3",
    "How many clips a person can have made at the same time")
  public static let generationModeration = Setting(
    "generation-moderation", .generation, .text,
    "A service that looks at each prompt before anything is made of it, as OpenAI's moderations endpoint does",
    advice:
      "What client libraries call the base URL, such as https://api.openai.com/v1; it may be in your own network. It gets the "
      + "prompt and nothing of the person. Without it words and rules of your own alone count.")
  public static let generationModerationKey = Setting(
    "generation-moderation-key", .generation, .text, isSecret: true, "Its key for you",
    advice: "It goes to that address alone.")
  public static let generationModerationModel = Setting(
    "generation-moderation-model", .generation, .text, "The model that it is asked for",
    advice: "Such as omni-moderation-latest. Without it the one that it takes by itself.")
  public static let generationModerationPictures = Setting(
    "generation-moderation-pictures", .generation, .choice(["on", "off"]), standard: "off",
    "Whether it looks at pictures that clips start from as well",
    advice:
      "on for a model that takes them, as omni-moderation does; others refuse the question, and nothing is made."
  )
  public static let generationModerationSeconds = Setting(
    "generation-moderation-seconds", .generation, .number(1...60), standard: "10",
    "Seconds that whoever wrote a prompt waits for it at most")
  public static let generationModerationDown = Setting(
    "generation-moderation-down", .generation, .choice(["refuse", "allow"]), standard: "refuse",
    "What becomes of a prompt that it does not answer to",
    advice:
      "refuse has people send it again later; allow makes what nobody looked at, and the log says so.")

  // Media in an S3 bucket

  public static let s3Bucket = Setting(
    "s3-bucket", .bucket, .text, "The bucket that keeps the media, which are files without it",
    advice: "It must exist. All processes of an instance need the same.")
  public static let s3Endpoint = Setting(
    "s3-endpoint", .bucket, .text, "The address of the S3 service, which is Amazon's without it",
    advice: "https://… or http://…, without a path. The start warns of http:// to another machine.")
  public static let s3Region = Setting(
    "s3-region", .bucket, .text, standard: "us-east-1", "The region for which requests are signed")
  public static let s3Style = Setting(
    "s3-style", .bucket, .choice(["path", "virtual"]),
    "Whether the bucket's name stands in the path or in front of the host name",
    advice: "Without it path, at Amazon virtual.")
  public static let s3Prefix = Setting("s3-prefix", .bucket, .text, "What all names in the bucket start with")
  public static let s3Delivery = Setting(
    "s3-delivery", .bucket, .choice(["proxy", "redirect"]), standard: "proxy",
    "Whether viewers get media through the server or are sent to the bucket",
    advice: "redirect spares the server all bytes of public clips and costs each viewer a round trip.")
  public static let s3Uploads = Setting(
    "s3-uploads", .bucket, .choice(["proxy", "direct"]), standard: "proxy",
    "Whether uploads go through the server or straight to the bucket",
    advice: "direct needs a bucket that lets browsers in, see docs/operate.md.")
  public static let s3AccessKey = Setting(
    "s3-access-key", .bucket, .text, isSecret: true, "The id of the bucket's key")
  public static let s3SecretKey = Setting("s3-secret-key", .bucket, .text, isSecret: true, "The bucket's key")
  public static let s3SessionToken = Setting(
    "s3-session-token", .bucket, .text, isSecret: true, "The token that comes with keys lent for a time",
    advice: "Restart with new ones before they end.")

  // A cache that several servers share

  public static let cache = Setting(
    "cache", .cache, .text, "The Redis that the servers of an instance share",
    advice:
      "redis://host:port, or rediss://host:port with TLS, which another machine should have: the start warns. Without it each "
      + "server counts limits for itself and hears of the others' news some seconds late. A password belongs into cache-password."
  )
  public static let cachePassword = Setting(
    "cache-password", .cache, .text, isSecret: true, "The password of the Redis")
  public static let cacheCA = Setting(
    "cache-ca", .cache, .text, "A file of the certificates by which that of the Redis is judged",
    advice: "Without it the system's list counts.")

  // Trying what people are shown

  public static let experiment = Setting(
    "experiment", .experiments, .text,
    "The experiment on the order of \"For you\": a name that you choose",
    advice:
      "Such as more-new. Without it there is none. Viewers are drawn by a hash of it, so another name draws others; all servers "
      + "of an instance need the same three settings. `clipfeed ranking experiments` says what came of it.")
  public static let experimentShare = Setting(
    "experiment-share", .experiments, .number(1...50), standard: "10",
    "Percent of viewers who get the treatment; as many others are what it is compared with",
    advice: "A larger share takes more viewers in and moves nobody from one arm to the other.")
  public static let experimentTreatment = Setting(
    "experiment-treatment", .experiments, .text,
    "What is different for them: settings of a page with their values, with spaces between",
    advice:
      "Such as \"worth-skip=-1 per-author=1\". docs/design/recommendations.md lists them. Change it under another name of the "
      + "experiment alone, or two treatments are taken for one.")

  // A model of one's own

  public static let modelServer = Setting(
    "model-server", .ranking, .text,
    "The server of a model that scores the clips of \"For you\" in place of our own scores",
    advice:
      "http://… or https://…, and a path if the protocol's paths lie below one. It is sent what is known of candidates and of who "
      + "watches, as docs/design/recommendations.md lists it; the start warns of http:// to another machine. Where it fails or is "
      + "late, pages go by our own scores. It needs model-name.")
  public static let modelProtocol = Setting(
    "model-protocol", .ranking, .choice(["open-inference", "tensorflow"]), standard: "open-inference",
    "Whether it speaks the Open Inference Protocol v2 (Triton, KServe, MLServer) or TensorFlow Serving's REST API"
  )
  public static let modelName = Setting(
    "model-name", .ranking, .text, "What the model is called there")
  public static let modelVersion = Setting(
    "model-version", .ranking, .text, "Which version of it scores",
    advice: "Without it the one that the server takes by itself.")
  public static let modelMs = Setting(
    "model-ms", .ranking, .number(5...120), standard: "50", "Milliseconds for which a page waits for scores",
    advice: "A page has 150 in all, and comes from the latest clips beyond that.")
  public static let modelIds = Setting(
    "model-ids", .ranking, .choice(["on", "off"]), standard: "off",
    "Whether the model is also sent the ids of clips and of who watches",
    advice: "Only for a model that knows something about them from elsewhere: ids name people.")
  public static let modelToken = Setting(
    "model-token", .ranking, .text, isSecret: true, "A bearer token for the model server")

  // Seeing what happens

  public static let logFormat = Setting(
    "log-format", .observing, .choice(["text", "json"]), standard: "text",
    "Whether each line of the log is text or a JSON object")
  public static let metricsHost = Setting(
    "metrics-host", .observing, .text, standard: "127.0.0.1", "The address on which metrics are told",
    advice: "Whoever reaches it reads them: let it be no address of the open network.")
  public static let metricsPort = Setting(
    "metrics-port", .observing, .number(0...65535),
    "The port on which metrics are told, at /metrics, in the format of Prometheus",
    advice: "There /readyz says each part of a server too. Without it nobody is told. 0 takes any free one.")
  public static let drainSeconds = Setting(
    "drain-seconds", .observing, .number(0...600), standard: "0",
    "Seconds for which a server that is told to stop goes on while /readyz says that it will",
    advice: "As long as a balancer takes to notice, so that nobody is sent to a server that is gone.")
}
