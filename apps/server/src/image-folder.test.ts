import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '@fairlead/core'
import { memoryStores } from '@fairlead/core/stores'
import { testClock } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compareImageFolder } from './image-folder.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-images-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Starts a node on each folder in turn, all on one database, and returns those that logged a warning. */
async function warned(...folders: readonly string[]): Promise<readonly string[]> {
  const stores = memoryStores({ clock: testClock() })
  const warnings: string[] = []
  const log: Log = { error: () => {}, warn: ({ folder }) => void warnings.push(String(folder)) }
  for (const folder of folders) await compareImageFolder(stores, folder, log)
  return warnings
}

describe('compareImageFolder', () => {
  test('logs a warning if a node has another image folder than the node that started before it', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()]
    expect(await warned(one, other)).toEqual([other])
    expect(await warned(one, other, one)).toEqual([other, one])
  })

  test('is silent if nodes share the folder, and when a node starts again', async () => {
    const shared = temporaryFolder()
    expect(await warned(shared, shared, shared)).toEqual([])
  })

  test('warns once after the folder was replaced', async () => {
    const [old, replaced] = [temporaryFolder(), temporaryFolder()]
    expect(await warned(old, replaced, replaced)).toEqual([replaced])
  })

  test('is silent if the folder cannot be written, which readiness reports', async () => {
    expect(await warned(temporaryFolder(), join(temporaryFolder(), 'missing'))).toEqual([])
  })
})
