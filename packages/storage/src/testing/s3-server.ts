// @ts-expect-error -- it has no types
import S3rver from '@20minutes/s3rver'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './temporary-directory.ts'

interface S3Server {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}

const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const

/** Starts an S3 server with an empty bucket, which is stopped after the test. It knows one access key. */
export async function startS3Server() {
  const bucket = 'images'
  const folder = temporaryDirectory()
  const server: S3Server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // For a path that ends in a slash, it expects another signature than AWS and every client.
    allowMismatchedSignatures: true,
    directory: folder,
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  let closed: Promise<void> | undefined
  const close = () => (closed ??= server.close())
  onTestFinished(close)
  return { bucket, folder, endpoint: `http://127.0.0.1:${port}`, credentials, close }
}
