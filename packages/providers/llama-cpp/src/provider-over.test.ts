import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Binding } from './binding.ts'
import { providerOver } from './provider-over.ts'

const path = fileURLToPath(import.meta.url)

class NoBinaryFoundError extends Error {}

/** A package whose binary is not there. */
const withoutBinary = {
  readGgufFileInfo: async () => ({ metadata: { general: { architecture: 'llama' } }, architectureMetadata: {} }),
  getLlama: () => Promise.reject(new NoBinaryFoundError()),
  LlamaLogLevel: { error: 'error' },
  NoBinaryFoundError,
} as unknown as Binding

const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

describe('a provider over node-llama-cpp', () => {
  test('a provider over node-llama-cpp says how to install a missing package', async () => {
    const missing = Object.assign(new Error("Cannot find package 'node-llama-cpp'"), { code: 'ERR_MODULE_NOT_FOUND' })
    const { models, warmUp } = providerOver({ path }, () => Promise.reject(missing))
    const error = {
      failure: 'give_up',
      message: expect.stringMatching(/node-llama-cpp is not installed\. Install it with: npm install node-llama-cpp/),
    }
    await expect(warmUp()).rejects.toMatchObject(error)
    await expect(typeof models === 'function' && models(call)).rejects.toMatchObject(error)
  })

  test('a provider over node-llama-cpp reports a broken package', async () => {
    const { warmUp } = providerOver({ path }, () => Promise.reject(new Error('a wrong version')))
    await expect(warmUp()).rejects.toThrow("node-llama-cpp can't be loaded (Error: a wrong version)")
  })

  test('a provider over node-llama-cpp names a platform without a binary', async () => {
    const { warmUp } = providerOver({ path }, () => Promise.resolve(withoutBinary))
    await expect(warmUp()).rejects.toMatchObject({
      failure: 'give_up',
      message: expect.stringContaining(`no binary that runs on this machine (${process.platform}-${process.arch})`),
    })
  })
})
