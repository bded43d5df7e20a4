import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { pixel, scripted, serveModels, weatherScript } from '../testing/serve-models.ts'

const python = process.env['TEST_PYTHON'] ?? 'python3'
const found = spawnSync(python, ['-c', 'import openai']).status === 0
if (!found) process.stderr.write(`The tests of openai for Python are skipped: ${python} has no package openai\n`)

const script = join(import.meta.dirname, '../testing/openai_client.py')

/** What the Python program prints about each thing that it did. */
async function talk(): Promise<Readonly<Record<string, unknown>>> {
  const { baseURL, apiKey } = await serveModels()
  const failing = scripted('reply: one two three four', 'fail: unavailable', 'fail_after: 2')
  const given = JSON.stringify({ pixel, weather: weatherScript, failing })
  const env = { ...process.env, OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, GIVEN: given }
  const { stdout } = await promisify(execFile)(python, [script], { env })
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}

describe.skipIf(!found)('openai for Python', { timeout: 60_000 }, () => {
  test('gets texts, streams, tool calls, JSON, embeddings, images, models and errors', async () => {
    const calls = ['{"city":"Oslo"}', '{"city":"Lima"}']
    expect(await talk()).toEqual({
      text: 'Hello there',
      stream: ['Hello there', 4],
      tools: calls,
      streamed_tools: calls,
      parsed: true,
      vision: true,
      embeddings: [2, true],
      image: 'PNG',
      models: true,
      unknown_model: ['NotFoundError', 'model_not_found'],
      wrong_key: 'AuthenticationError',
      broken_stream: 'APIError',
      response: 'Hello there',
      streamed_response: 'Hello there',
      response_tools: calls,
      response_parsed: true,
      broken_response: 'APIError',
    })
  })
})
