import { expect, test } from 'vitest'
import { accessibilityViolations } from './accessibility.ts'
import type { Dashboard } from './open-dashboard.ts'

/** Opens the playground as a new user. */
export async function openPlayground(dashboard: Dashboard, search: Readonly<Record<string, string>>) {
  const profile = await dashboard.newProfile()
  await profile.logIn(`${crypto.randomUUID()}@example.com`)
  const page = await profile.openPage(`/playground?${new URLSearchParams(search)}`)
  await page.getByRole('button', { name: 'Run' }).and(page.locator(':not([aria-disabled])')).waitFor()
  return { ...profile, page }
}

/** Defines the tests of the playground. */
export function testPlayground(dashboard: () => Dashboard): void {
  test('the dashboard streams a text in the playground, and keeps the model and the conversation over a reload', async () => {
    const { page, problems } = await openPlayground(dashboard(), { prompt: 'Name three ideas for a coffee shop' })
    const response = page.waitForResponse(/\/generate$/)
    await page.keyboard.press('Control+Enter')
    expect((await response).headers()['content-type']).toContain('text/event-stream')
    await page.getByText('Done', { exact: true }).waitFor()
    expect(await page.getByRole('region', { name: 'Generated text' }).innerText()).toMatch(/\w/)
    await page.getByText('First token').waitFor()
    expect(await accessibilityViolations(page, 'a text')).toEqual([])

    await page.waitForURL(/model=scribe/)
    await page.reload()
    await page.getByRole('list', { name: 'Messages' }).getByText('Name three ideas').waitFor()

    await page.getByRole('button', { name: 'View code' }).click()
    await page.getByRole('tab', { name: 'GraphQL' }).click()
    await page.getByRole('region', { name: 'GraphQL document' }).getByText('generateStream').waitFor()
    expect(await accessibilityViolations(page, 'code')).toEqual([])
    expect(problems).toEqual([])
  })

  test('the dashboard formats the Markdown of a text without running or loading anything in it, and shows it raw', async () => {
    const { page, context, problems } = await openPlayground(dashboard(), { prompt: 'Show a table' })
    const requests: string[] = []
    context.on('request', (request) => requests.push(new URL(request.url()).host))
    await context.route(/\/generate$/, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: stream(markdown) }),
    )
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    const text = page.getByRole('region', { name: 'Generated text' })
    await text.getByRole('heading', { level: 3, name: 'Plan' }).waitFor()
    expect(await text.getByRole('listitem').allInnerTexts()).toEqual(['one', 'two\nnested', 'nested'])
    expect(await text.getByRole('cell').allInnerTexts()).toEqual(['a\nb', '2'])
    expect(await text.getByRole('group', { name: 'Code in ts' }).innerText()).toBe('const x = 1 < 2')
    const link = text.getByRole('link')
    expect(await link.allInnerTexts()).toEqual(['docs', 'A cat'])
    expect(await link.first().getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(await text.innerText()).toContain('<img src="x" onerror="alert(1)"> R&D run')
    expect(await text.innerText()).toContain('Rain before morning\nOn the roof')
    expect(await accessibilityViolations(page, 'Markdown')).toEqual([])

    await page.getByRole('button', { name: 'Show the raw text' }).click()
    expect(await text.innerText()).toBe(markdown)
    await page.waitForURL(/raw=true/)
    expect(new Set(requests)).toEqual(new Set([new URL(dashboard().url).host]))
    expect(problems).toEqual([])
  })

  test('the dashboard shows a text that is nested too deeply as it is', async () => {
    const { page, context, problems } = await openPlayground(dashboard(), { prompt: 'Quote' })
    const deep = '>'.repeat(50_000)
    await context.route(/\/generate$/, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: stream(deep) }),
    )
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    expect(await page.getByRole('region', { name: 'Generated text' }).innerText()).toBe(deep)
    expect(problems).toEqual([])
  })

  test('the dashboard stops a call of the playground', async () => {
    const { page, context, problems } = await openPlayground(dashboard(), { prompt: 'Tell a long story' })
    // Never answered.
    await context.route(/\/generate$/, () => {})
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  test('the dashboard shows why the playground rejects a parameter beside it', async () => {
    const { page } = await openPlayground(dashboard(), { prompt: 'Say hello', temperature: '9' })
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').getByText('INVALID_REQUEST').waitFor()
    await page.getByText('Temperature must be between 0 and 2', { exact: true }).waitFor()
    expect(await accessibilityViolations(page, 'a failure')).toEqual([])
  })

  test('the dashboard compares two models side by side', async () => {
    const search = { compare: 'true', model: 'scribe', 'b.model': 'mirror', prompt: 'Say hello' }
    const { page, problems } = await openPlayground(dashboard(), search)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Done', { exact: true }).nth(1).waitFor()
    const texts = page.getByRole('region', { name: 'Generated text' })
    expect(await texts.count()).toBe(2)
    expect(await texts.nth(1).innerText()).toContain('Say hello')
    expect(await accessibilityViolations(page, 'a comparison')).toEqual([])
    expect(problems).toEqual([])
  })

  test('the dashboard shows the image that the playground generated', async () => {
    const { page, problems } = await openPlayground(dashboard(), {
      mode: 'image',
      size: '256x256',
      prompt: 'calm blue waves',
    })
    await page.getByRole('button', { name: 'Run' }).click()
    const image = page.locator('figure img')
    await image.waitFor()
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(256)
    expect(await page.getByRole('link', { name: 'Download PNG' }).getAttribute('download')).toMatch(/^img_\d+\.png$/)
    expect(await accessibilityViolations(page, 'an image')).toEqual([])
    expect(problems).toEqual([])
  })

  test('the dashboard marks the entities of an analyzed text', async () => {
    const prompt = 'Maria Lopez loves the new office in Berlin.'
    const { page, problems } = await openPlayground(dashboard(), { mode: 'analysis', prompt })
    await page.getByRole('button', { name: 'Run' }).click()
    await page.locator('mark').filter({ hasText: 'Maria Lopez' }).waitFor()
    expect(await page.locator('mark').allInnerTexts()).toEqual(['Maria Lopez\u00a0Person', 'Berlin\u00a0Location'])
    await page.getByRole('meter', { name: 'Sentiment' }).waitFor()
    expect(await accessibilityViolations(page, 'an analysis')).toEqual([])
    expect(problems).toEqual([])
  })
}

const markdown = `# Plan

Rain before morning
On the roof

1. one
2. two
   - nested

| left | right |
| --- | ---: |
| a<br>b | 2 |

\`\`\`ts
const x = 1 < 2
\`\`\`

<img src="x" onerror="alert(1)"> R&amp;D [run](javascript:alert(1)) [docs](https://example.com/) ![A cat](https://example.com/cat.png)`

/** The response of the service to a prompt, with a text of our own. */
function stream(content: string): string {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const meta = { request_id: 'req_1', provider: 'example', model: 'example', attempts: 1, cached: false, cost_usd: 0 }
  const parts = [{ type: 'text', text: content }]
  const done = { data: { content, parts, finish_reason: 'stop', usage }, meta }
  return `event: chunk\ndata: ${JSON.stringify({ content })}\n\nevent: done\ndata: ${JSON.stringify(done)}\n\n`
}
