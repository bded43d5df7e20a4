import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { publish } from '../../docs/site/publish.ts'

test('publish refuses to publish the site to a folder with other files, and deletes none of them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-publish-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  expect(() => publish(folder, '/', '1.0.0')).toThrow('has files that are not a published site')
  expect(readdirSync(folder)).toEqual(['notes.txt'])
})
