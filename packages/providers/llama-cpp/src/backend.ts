import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { ProviderError } from '@fairlead/core/provider'
import type { LlamaModel } from 'node-llama-cpp'
import { type Binding, noBinary } from './binding.ts'
import { readMessage, type ModelFile } from './model-file.ts'
import { Lazy } from './lazy.ts'
import type { LlamaCppOptions } from './options.ts'

/** llama.cpp without a model. A process has one, and it does not keep the process alive. */
type Backend = Awaited<ReturnType<typeof startBackend>>

const backends = new WeakMap<Binding, Lazy<Backend>>()

export function loadBackend(binding: Binding): Promise<Backend> {
  const backend = backends.get(binding) ?? new Lazy(() => startBackend(binding))
  backends.set(binding, backend)
  return backend.get()
}

/**
 * Loads the model of a file, and opens it. What was loaded is freed if that fails.
 *
 * @param open gets the model, and how many threads it may use
 */
export async function openModel<Opened>(
  { binding, path }: ModelFile,
  { threads }: LlamaCppOptions,
  open: (model: LlamaModel, threads: number) => Promise<Opened>,
): Promise<Opened> {
  const { llama, complaints } = await loadBackend(binding)
  await complaints()
  let model: LlamaModel | undefined
  try {
    model = await llama.loadModel({ modelPath: path })
    // With more threads than free cores, threads wait for each other, and one token takes a second.
    return await open(model, threads ?? Math.max(1, Math.min(llama.cpuMathCores, availableParallelism() - 1)))
  } catch (cause) {
    await model?.dispose()
    const reason = [readMessage(cause), ...(await complaints())].join('; ')
    throw new ProviderError('give_up', `The model file ${path} cannot be loaded: ${reason}. ${loadFailureHint}`, {
      cause,
    })
  }
}

const loadFailureHint =
  'Look whether the file is complete, whether the memory suffices, and whether this llama.cpp knows its architecture.'

const maxLoggedErrors = 4

async function startBackend({ getLlama, LlamaLogLevel, NoBinaryFoundError }: Binding) {
  const heard: string[] = []
  try {
    const llama = await getLlama({
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: LlamaLogLevel.error,
      logger: (_level, message) => {
        heard.push(message.trim())
        heard.splice(0, heard.length - maxLoggedErrors)
      },
      // Each context has its own limit.
      maxThreads: 0,
    })
    return {
      llama,
      /** The errors that llama.cpp has logged since the last call. */
      async complaints() {
        // The log messages arrive after the failure that they explain.
        await setImmediate()
        return heard.splice(0)
      },
    }
  } catch (cause) {
    if (cause instanceof NoBinaryFoundError) throw noBinary(cause)
    throw new ProviderError('give_up', `llama.cpp cannot be started: ${readMessage(cause)}`, { cause })
  }
}
