import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import type { Dashboard } from './open-dashboard.ts'
import { openPlayground } from './playground.ts'

/** A PNG image of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

interface SentBody {
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[]
}

/** Opens the playground with `mirror`, and records what it sends. */
async function openMirror(dashboard: Dashboard, prompt: string) {
  const profile = await openPlayground(dashboard, { model: 'mirror', prompt })
  await profile.page.evaluate(recordBodies)
  return profile
}

/** Runs in the browser. Playwright does not see the bodies of requests that were cloned. */
function recordBodies(): void {
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    if (input instanceof Request && input.url.endsWith('/generate')) {
      Object.assign(globalThis, { sentBody: await input.clone().json() })
    }
    return original(input, init)
  }
}

/** Runs what was entered, and returns the body that was sent. */
async function run(page: Page, act: () => Promise<void>): Promise<SentBody> {
  // An earlier turn has left its body, and is still shown as done.
  await page.evaluate(() => void Object.assign(globalThis, { sentBody: undefined }))
  await act()
  const sent = await page.waitForFunction(() => (globalThis as unknown as { readonly sentBody?: SentBody }).sentBody)
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' })
  await page.getByText('Done', { exact: true }).last().waitFor()
  return (await sent.jsonValue()) as SentBody
}

const send = (page: Page, prompt: string) =>
  run(page, async () => {
    await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt)
    await page.keyboard.press('Control+Enter')
  })

/** A stream of these events, whose result has the parts. */
function answerEvents(parts: readonly object[], ...events: readonly (readonly [string, object])[]): string {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const meta = { request_id: 'req_1', provider: 'example', model: 'example', attempts: 1, cached: false, cost_usd: 0 }
  const done = { data: { content: '', parts, finish_reason: 'content_filter', usage }, meta }
  return [...events, ['done', done] as const]
    .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    .join('')
}

/** Defines the tests of conversations in the playground. They use `mirror`, which follows the scripts in its prompts. */
export function testConversations(dashboard: () => Dashboard): void {
  test('the dashboard continues a conversation of three turns, whose messages can be changed', async () => {
    const { page, problems } = await openMirror(dashboard(), 'One')
    const messages = page.getByRole('list', { name: 'Messages' })
    await page.getByRole('textbox', { name: 'System message' }).fill('Repeat.')
    await run(page, () => page.getByRole('button', { name: 'Run' }).click())
    await send(page, 'Two')
    const third = await send(page, 'Three')
    expect(third.messages?.map(({ role, content }) => `${role} ${String(content)}`)).toEqual([
      'system Repeat.',
      'user One',
      'assistant One',
      'user Two',
      'assistant Two',
      'user Three',
    ])
    expect(await messages.getByRole('heading').allInnerTexts()).toEqual([
      'User',
      'mirror',
      'User',
      'mirror',
      'User',
      'mirror',
    ])
    expect(await accessibilityViolations(page, 'a conversation')).toEqual([])

    await messages.getByRole('button', { name: 'Edit the message' }).nth(1).click()
    await page.getByRole('textbox', { name: 'User message' }).fill('Second')
    const edited = await run(page, () => page.getByRole('button', { name: 'Save and run' }).click())
    expect(edited.messages?.map(({ content }) => content)).toEqual(['Repeat.', 'One', 'One', 'Second'])
    expect(await messages.getByRole('heading').count()).toBe(4)

    await messages.getByRole('button', { name: 'Edit the answer' }).first().click()
    await page.getByRole('textbox', { name: 'Answer' }).fill('First')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const again = await run(page, () =>
      messages
        .getByRole('button', { name: /^Regenerate/ })
        .last()
        .click(),
    )
    expect(again.messages?.map(({ content }) => content)).toEqual(['Repeat.', 'One', 'First', 'Second'])

    await messages.getByRole('button', { name: 'Remove the answer' }).last().click()
    expect(await messages.getByRole('heading').allInnerTexts()).toEqual(['User', 'mirror', 'User'])
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('The conversation appears here').waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard shows a refusal, and the text of a tool input that is not a JSON object', async () => {
    const { page, context, problems } = await openMirror(dashboard(), 'What is it?')
    const text = '{"city": Oslo'
    const call = { id: 'call_1', name: 'get_weather' }
    await context.route(/\/generate$/, (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: answerEvents(
          [
            { type: 'refusal', text: 'I can’t help with that.' },
            { type: 'tool_call', ...call, input: {}, input_text: text },
          ],
          ['refusal', { content: '', refusal: 'I can’t help with that.' }],
          ['tool_call', { content: '', tool_call: { ...call, input_delta: text } }],
        ),
      }),
    )
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByText('The model declined to answer').waitFor()
    expect(await page.getByRole('region', { name: 'Refusal' }).innerText()).toBe('I can’t help with that.')
    const called = page.getByRole('region', { name: 'Call of get_weather, call_1' })
    expect(await called.locator('pre').innerText()).toBe(text)
    await called.getByText('not a JSON object').waitFor()
    expect(await accessibilityViolations(page, 'a refusal')).toEqual([])
    expect(problems).toEqual([])
  })

  test('the dashboard attaches files of the computer, the clipboard, and a URL, up to the size of a request', async () => {
    const { page, problems } = await openMirror(dashboard(), 'What is it?')
    const picker = page.getByLabel('Files', { exact: true })
    const buffer = Buffer.from(pixel, 'base64')
    await picker.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(16 * 1024 * 1024) })
    await page.getByRole('alert').getByText('large.png is too large').waitFor()
    await picker.setInputFiles([
      { name: 'pixel.png', mimeType: 'image/png', buffer },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hi') },
    ])
    await page.getByRole('img', { name: 'pixel.png' }).waitFor()
    await page.getByText('text/plain, 2 B').waitFor()
    await page.getByRole('textbox', { name: 'Prompt' }).evaluate((field, base64) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      data.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }))
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, pixel)
    await page.getByRole('img', { name: 'pasted.png' }).waitFor()
    await page.getByRole('button', { name: 'Remove pasted.png' }).click()
    expect(await accessibilityViolations(page, 'attachments')).toEqual([])

    const body = await run(page, () => page.getByRole('button', { name: 'Run' }).click())
    expect(body.messages?.[0]?.content).toEqual([
      { type: 'image', media_type: 'image/png', data: pixel },
      { type: 'file', media_type: 'text/plain', filename: 'notes.txt', data: 'aGk=' },
      { type: 'text', text: 'What is it?' },
    ])
    await page.getByRole('region', { name: 'Generated text' }).getByText('[text/plain, 2 bytes, notes.txt]').waitFor()

    await page.getByRole('button', { name: 'Attach files' }).click()
    await page.getByRole('menuitem', { name: 'Enter a URL' }).click()
    await page.getByLabel('URL', { exact: true }).fill('http://example.com/cat.png')
    await page.getByRole('button', { name: 'Attach', exact: true }).click()
    await page.getByText('URL must be an https URL').waitFor()
    await page.getByLabel('URL', { exact: true }).fill('https://example.com/cat.png')
    await page.getByRole('button', { name: 'Attach', exact: true }).click()
    await page.getByText('example.com/cat.png').waitFor()

    await page.goto(`${dashboard().address}/playground?model=scribe`)
    await page.getByRole('button', { name: /^Attach files: scribe does not read images or files/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard shows parallel tool calls, and sends the results that were entered and corrected', async () => {
    const script = [
      '```mirror',
      'reasoning: Both cities are needed.',
      'tool_call: get_weather {"city": "Oslo"}',
      'tool_call: get_weather {"city": "Lima"}',
      '```',
      'Where is it warmer?',
    ].join('\n')
    const { page, problems } = await openMirror(dashboard(), script)
    await page.getByRole('button', { name: 'Tools' }).click()
    await page.getByRole('button', { name: 'Add a tool' }).click()
    await page.getByLabel('Input schema').fill('{"type": "object"')
    await page.getByText(/Input schema is not JSON/).waitFor()
    await page.getByLabel('Input schema').fill('{"type": "object", "properties": {"city": {"type": "string"}}}')
    expect(await accessibilityViolations(page, 'a tool')).toEqual([])
    await page.getByRole('button', { name: 'Add tool', exact: true }).click()
    await page.getByRole('combobox', { name: 'Tool choice' }).click()
    await page.getByRole('option', { name: 'Any tool' }).click()
    await page.getByRole('button', { name: 'Done' }).click()

    const first = await run(page, () => page.getByRole('button', { name: /^Run/ }).click())
    expect(first).toMatchObject({ tools: [{ name: 'get_weather' }], tool_choice: { type: 'required' } })
    const calls = page.getByRole('region', { name: /^Call of get_weather/ })
    expect(await calls.locator('pre').allInnerTexts()).toEqual(['{"city":"Oslo"}', '{"city":"Lima"}'])
    await page.locator('summary').click()
    await page.getByText('Both cities are needed.', { exact: true }).waitFor()
    await page.getByText('Send the results of the tool calls first.').waitFor()
    expect(await accessibilityViolations(page, 'tool calls')).toEqual([])

    await page.getByLabel('Result of get_weather').first().fill('14 °C')
    await page.getByLabel('Result of get_weather').last().fill('not found')
    await page.getByLabel('The tool failed').last().check()
    const second = await run(page, () => page.getByRole('button', { name: 'Send 2 results' }).click())
    expect(second.messages?.at(-1)).toEqual({
      role: 'tool',
      content: [
        { type: 'tool_result', tool_call_id: 'call_1', content: '14 °C' },
        { type: 'tool_result', tool_call_id: 'call_2', content: 'not found', is_error: true },
      ],
    })
    await page.getByRole('region', { name: 'Generated text' }).getByText('14 °C').waitFor()

    await page.getByLabel('Result of get_weather').last().fill('24 °C')
    await page.getByLabel('The tool failed').last().uncheck()
    await run(page, () => page.getByRole('button', { name: 'Send 2 results again' }).click())
    await page.getByRole('region', { name: 'Generated text' }).getByText('24 °C').waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard draws an answer that follows a schema, and one that does not, and prints the request as curl', async () => {
    const { page, problems } = await openMirror(dashboard(), 'Who wrote Faust?')
    await page.getByRole('button', { name: 'Text format' }).click()
    await page.getByRole('button', { name: 'JSON schema' }).click()
    expect(await accessibilityViolations(page, 'a schema')).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await run(page, () => page.getByRole('button', { name: /^Run/ }).click())
    await page.getByText('Follows the schema').waitFor()
    expect(JSON.parse(await page.getByRole('region', { name: 'Generated text' }).innerText())).toHaveProperty('born')
    expect(await accessibilityViolations(page, 'JSON')).toEqual([])

    await page.getByRole('button', { name: 'View code' }).click()
    const command = await page.getByRole('region', { name: 'curl command' }).innerText()
    const env = { ...process.env, FAIRLEAD_API_KEY: dashboard().key }
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -sS`], { env })
    expect(stdout).toMatch(/event: done\ndata: \{"success":true/)
    for (const name of ['TypeScript', 'Python', 'OpenAI Node', 'OpenAI Python', 'GraphQL']) {
      await page.getByRole('tab', { name, exact: true }).click()
    }
    await page.getByRole('button', { name: 'Close' }).click()

    await send(page, '```mirror\nreply: {"name": "Goethe"}\n```')
    await page.getByText('Does not follow the schema').waitFor()
    await page.getByText(/born/).last().waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard continues the conversation of a model with another one beside it', async () => {
    const { page, problems } = await openMirror(dashboard(), 'One')
    await run(page, () => page.getByRole('button', { name: 'Run' }).click())
    await page.getByRole('button', { name: 'Compare' }).click()
    await send(page, 'Two')
    for (const title of ['Model A', 'Model B']) {
      const messages = page.getByRole('list', { name: `Messages, ${title}` })
      await expect.poll(() => messages.getByRole('heading').count()).toBe(4)
    }
    expect(await accessibilityViolations(page, 'two conversations')).toEqual([])
    expect(problems).toEqual([])
  })
}
