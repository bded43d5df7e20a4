import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { startS3Server } from '@fairlead/storage/testing'
import { describe, expect, test } from 'vitest'
import { readAttributes, startReceiver } from '../testing/otlp-receiver.ts'
import { temporaryFolder } from '../testing/run-main.ts'
import { runServer } from '../testing/run-server.ts'

/** A service that exports every second, and was asked for a text, with tags. */
async function exporting(settings: Readonly<Record<string, string>>) {
  const server = await runServer({ FAIRLEAD_USAGE_EXPORT_INTERVAL: '1', ...settings })
  const key = server.firstAdmin?.apiKey
  const asked = await fetch(`${server.baseUrl}/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-fairlead-tags': 'team=search' },
    body: JSON.stringify({ model: 'any', prompt: 'Hi' }),
  })
  expect(asked.status).toBe(200)
  const { data } = await server.ask('GET', '/requests', undefined, key)
  return { server, record: data[0] as Readonly<Record<string, unknown>> }
}

const linesIn = (folder: string) =>
  globSync('**/*.ndjson.gz', { cwd: folder }).flatMap((path) =>
    gunzipSync(readFileSync(join(folder, path)))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
  )

describe('FAIRLEAD_USAGE_EXPORT', () => {
  test('FAIRLEAD_USAGE_EXPORT=file: writes a line for each request, with what GET /requests shows of it', async () => {
    const folder = join(temporaryFolder(), 'usage')
    const { record } = await exporting({ FAIRLEAD_USAGE_EXPORT: `file:${folder}` })
    await expect.poll(() => linesIn(folder).filter(({ id }) => id === record['id'])).toHaveLength(1)
    const [line] = linesIn(folder).filter(({ id }) => id === record['id'])
    // Names may change, and a sum follows from other facts.
    const { user_name: _user, key_name: _key, total_tokens: _total, ...facts } = record
    expect(line).toEqual(facts)
  })

  test('FAIRLEAD_USAGE_EXPORT=s3: writes the files to a bucket', async () => {
    const { bucket, endpoint, credentials, folder } = await startS3Server()
    const { record } = await exporting({
      FAIRLEAD_USAGE_EXPORT: `s3://${bucket}/usage`,
      FAIRLEAD_S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })
    const objects = () => globSync('images/usage/date=*/usage-*.ndjson.gz*object', { cwd: folder })
    await expect
      .poll(() =>
        objects()
          .map((path) => gunzipSync(readFileSync(join(folder, path))).toString())
          .join(''),
      )
      .toContain(String(record['id']))
  })

  test('FAIRLEAD_USAGE_EXPORT=otlp sends a log record for each request to the collector', async () => {
    const receiver = await startReceiver()
    const { record } = await exporting({
      FAIRLEAD_USAGE_EXPORT: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    })
    const sent = () => receiver.logs().filter((log) => readAttributes(log)['fairlead.usage.id'] === record['id'])
    await expect.poll(sent).toHaveLength(1)
    const [log] = sent()
    expect(log?.eventName).toBe('fairlead.usage')
    expect(new Date(Number(BigInt(log!.timeUnixNano) / 1_000_000n)).toISOString()).toBe(record['created_at'])
    expect(readAttributes(log!)).toMatchObject({
      'fairlead.usage.operation': 'generate',
      'fairlead.usage.status': 'ok',
      'fairlead.usage.model': 'any',
      'fairlead.usage.key_id': record['key_id'],
      'fairlead.usage.tags.team': 'search',
    })
    expect(receiver.text()).not.toContain('hello there')
  })

  test('FAIRLEAD_USAGE_EXPORT fails the start with the variable and the reason if the folder cannot be used', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    await expect(runServer({ FAIRLEAD_USAGE_EXPORT: `file:${join(folder, 'file')}` })).rejects.toThrow(
      /^FAIRLEAD_USAGE_EXPORT names .*file, which cannot be used\.\nE/,
    )
  })

  test('FAIRLEAD_USAGE_EXPORT logs that it fails, and that it tries again', async () => {
    const { close, bucket, endpoint, credentials } = await startS3Server()
    await close()
    const { server } = await exporting({
      FAIRLEAD_USAGE_EXPORT: `s3://${bucket}`,
      FAIRLEAD_S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })
    await expect.poll(() => server.logged(), { timeout: 20_000 }).toContain('usage export failed, trying again')
  })
})
