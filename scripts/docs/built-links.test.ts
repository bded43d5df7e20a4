import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deadLinks } from '../../docs/site/built-links.ts'

test('the check of links finds the links of a built site to a missing page or anchor', () => {
  const dist = mkdtempSync(join(tmpdir(), 'fairlead-site-'))
  onTestFinished(() => rmSync(dist, { recursive: true }))
  const links = ['/base/other', '/base/other#here', './other#gone', '/base/missing', '/other', 'https://example.com']
  writeFileSync(join(dist, 'index.html'), links.map((link) => `<a class="link" href="${link}">`).join('\n'))
  writeFileSync(join(dist, 'other.html'), '<h2 id="here">Here</h2>')
  expect(deadLinks(dist, '/base/')).toEqual([
    'index.html → ./other#gone',
    'index.html → /base/missing',
    'index.html → /other',
  ])
})
