/** Blobs on S3-compatible storage. Needs the package `@aws-sdk/client-s3`. */
export { s3Blobs } from './gateway/s3-blobs.ts'
export type { S3BlobsOptions } from './gateway/s3-blobs.ts'
