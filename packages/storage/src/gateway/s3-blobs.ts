import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  NoSuchKey,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { addAbortSignal, type Readable } from 'node:stream'
import { FairleadError } from '@fairlead/core'
import type { Blobs } from '@fairlead/core/stores'
import { isBlobName, requireBlobName } from './blob-name.ts'
import { defaultTimeoutMs, openS3, type S3Options } from './open-s3.ts'

/** Most that S3 deletes in one request. */
const maxDeleted = 1_000
const retryAfterMs = 1_000

/**
 * Stores each blob as an object of an S3 bucket, on AWS or a compatible service. Rejects with `SERVICE_UNAVAILABLE` if S3
 * fails or does not respond in time. Needs the permissions `s3:ListBucket`, `s3:GetObject`, `s3:PutObject`, and
 * `s3:DeleteObject`.
 *
 * @example
 * ```ts
 * const blobs = s3Blobs({ bucket: 'company-fairlead', region: 'eu-central-1' })
 * const fairlead = createFairlead({ providers, stores, blobs })
 * ```
 */
export function s3Blobs({ bucket, prefix = '', timeoutMs = defaultTimeoutMs, ...options }: S3Options): Blobs {
  const client = openS3({ ...options, timeoutMs })
  const objectKey = (name: string) => prefix + requireBlobName(name)
  const inTime = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) })

  return {
    async put(name, bytes) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: objectKey(name),
        Body: bytes,
        ContentType: 'image/png',
      })
      await orUnavailable(client.send(command, inTime()))
    },
    async get(name) {
      const command = new GetObjectCommand({ Bucket: bucket, Key: objectKey(name) })
      const { abortSignal } = inTime()
      try {
        const { Body } = await client.send(command, { abortSignal })
        // The client stops to observe the signal at the first byte.
        addAbortSignal(abortSignal, Body as Readable)
        return await Body?.transformToByteArray()
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw unavailable(error)
      }
    },
    async delete(names) {
      const keys = names.map((name) => ({ Key: objectKey(name) }))
      for (let start = 0; start < keys.length; start += maxDeleted) {
        const Delete = { Objects: keys.slice(start, start + maxDeleted), Quiet: true }
        const { Errors = [] } = await orUnavailable(
          client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }), inTime()),
        )
        if (Errors[0]) throw unavailable(new Error(`${Errors[0].Key}: ${Errors[0].Code} ${Errors[0].Message}`))
      }
    },
    async *names() {
      let ContinuationToken: string | undefined
      do {
        const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken })
        const page: ListObjectsV2CommandOutput = await orUnavailable(client.send(command, inTime()))
        for (const { Key = '' } of page.Contents ?? []) {
          const name = Key.slice(prefix.length)
          if (isBlobName(name)) yield name
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
  }
}

async function orUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw unavailable(error)
  }
}

function unavailable(cause: unknown): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', 'Images cannot be stored or read right now.', { cause, retryAfterMs })
}
