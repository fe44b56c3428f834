# Sourced: how the server's tests are asked, once they are built.
# Eight side by side: all of them at once starve each other, until ffmpeg, connections and pages of the feed take longer than
# they may.
server_tests=(swift test --skip-build --package-path server --experimental-maximum-parallelization-width 8)

# Which of them need what. All others are of one module by itself, and need nothing.
# An instance, or a server beside them:
beside_servers='^(ServerTesting|PostgreSQLTests|RedisTests|StorageTests|EndToEndTests)\.'
# Of these, an S3 server:
beside_storage='^StorageTests\.|^ServerTesting\.BlobStoreContract'
# Of these, what converts clip after clip to look at each picture, sound and word of the result: make proof-pipeline.
of_pipeline='^EndToEndTests\.(ColourTests|CorpusTests|LoudnessTests|MetadataTests|PlayerTests|SourceFormatTests|SourceStructureTests|StoryboardTests|SyncTests)/'
