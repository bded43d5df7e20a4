import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Provider } from '@fairlead/core/provider'
import { providerSuite } from '@fairlead/testing/suites'
import { beforeAll, describe } from 'vitest'
import { tinyModel } from '../tiny-model/tiny-model.ts'
import { whyNotHere } from '../tiny-model/why-not-here.ts'
import { llamaCpp } from './llama-cpp.ts'

// That continuous integration has the binary is another test's to demand.
describe.skipIf(await whyNotHere())('on a tiny model', () => {
  let path: string
  let embedderPath: string

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairlead-llama-'))
    path = join(folder, 'tiny.gguf')
    await writeFile(path, tinyModel())
    embedderPath = join(folder, 'embedder.gguf')
    await writeFile(embedderPath, tinyModel({ embeds: true }))
    return () => rm(folder, { recursive: true })
  })

  // A file either writes or embeds.
  const writer = (): Provider => {
    const { embed: _embed, ...provider } = llamaCpp({ path })
    return provider
  }
  const embedder = (): Provider => {
    const { generateText: _generateText, streamText: _streamText, ...provider } = llamaCpp({ path: embedderPath })
    return provider
  }
  providerSuite('llama-cpp', writer, { requests: { text: { prompt: 'bade fogu', seed: 7 } } })
  providerSuite('llama-cpp that embeds', embedder)
})
