# Sourced: which of the server's tests need what. All others are of one module by itself, and need nothing.
# An instance, or a server beside them:
beside_servers='^(ServerTesting|PostgreSQLTests|RedisTests|StorageTests|EndToEndTests)\.'
# Of these, an S3 server:
beside_storage='^StorageTests\.|^ServerTesting\.BlobStoreContract'
