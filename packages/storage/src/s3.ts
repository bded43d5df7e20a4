/** Blobs and files on S3-compatible storage. Needs the package `@aws-sdk/client-s3`. */
export { s3Blobs } from './gateway/s3-blobs.ts'
export { s3Files } from './gateway/s3-files.ts'
export type { S3Options, S3Options as S3BlobsOptions } from './gateway/open-s3.ts'
