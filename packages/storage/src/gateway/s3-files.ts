import { PutObjectCommand } from '@aws-sdk/client-s3'
import { defaultTimeoutMs, openS3, type S3Options } from './open-s3.ts'

/** Files in an S3 bucket, for `ndjsonFiles` of `@fairlead/usage-export`. Needs the permission `s3:PutObject`. */
export function s3Files({ bucket, prefix = '', timeoutMs = defaultTimeoutMs, ...options }: S3Options) {
  const client = openS3({ ...options, timeoutMs })
  return {
    name: `s3://${bucket}/${prefix}`,
    async put(path: string, bytes: Uint8Array): Promise<void> {
      const command = new PutObjectCommand({ Bucket: bucket, Key: prefix + path, Body: bytes })
      await client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) })
    },
  }
}
