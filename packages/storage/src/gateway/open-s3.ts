import { S3Client } from '@aws-sdk/client-s3'

export interface S3Options {
  readonly bucket: string
  /** The URL of a service other than AWS, such as `http://127.0.0.1:9000`. Buckets are then part of the path. */
  readonly endpoint?: string | undefined
  /** Default: the region of the AWS configuration, and `us-east-1` with an `endpoint`. */
  readonly region?: string | undefined
  /** The start of each object's key, such as `fairlead/images/`. Default: none. */
  readonly prefix?: string | undefined
  /** Default: found as every AWS SDK does, in `AWS_ACCESS_KEY_ID`, profiles, and roles of the machine. */
  readonly credentials?:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
    | undefined
  /** The time for a whole call, in milliseconds. Within it, a failed request is sent up to three times. Default: 10,000. */
  readonly timeoutMs?: number
}

const maxAttempts = 3
export const defaultTimeoutMs = 10_000

export function openS3({
  endpoint,
  region = endpoint === undefined ? undefined : 'us-east-1',
  credentials,
  timeoutMs = defaultTimeoutMs,
}: Omit<S3Options, 'bucket' | 'prefix'>): S3Client {
  return new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
    maxAttempts,
    // Half of the time of a call, so that a request that gets no response is sent again.
    requestHandler: { connectionTimeout: timeoutMs / 4, requestTimeout: timeoutMs / 2, throwOnRequestTimeout: true },
    // Other services do not know the checksums that AWS has added.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}
