import { setImmediate } from 'node:timers/promises'
import { ProviderError } from '@fairlead/core/provider'
import type { Llama } from 'node-llama-cpp'
import { type Binding, noBinary } from './binding.ts'
import { messageOf } from './model-file.ts'
import { type Once, once } from './once.ts'

/** llama.cpp without a model. A process has one, and it does not keep the process alive. */
export interface Backend {
  readonly llama: Llama
  /** The errors that llama.cpp has logged since the last call. */
  complaints(): Promise<readonly string[]>
}

const backends = new WeakMap<Binding, Once<Backend>>()

export function backendOf(binding: Binding): Promise<Backend> {
  let backend = backends.get(binding)
  if (!backend) {
    backend = once(() => startBackend(binding))
    backends.set(binding, backend)
  }
  return backend.get()
}

const maxLoggedErrors = 4

async function startBackend({ getLlama, LlamaLogLevel, NoBinaryFoundError }: Binding): Promise<Backend> {
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
      async complaints() {
        // The log messages arrive after the failure that they explain.
        await setImmediate()
        return heard.splice(0)
      },
    }
  } catch (cause) {
    if (cause instanceof NoBinaryFoundError) throw noBinary(cause)
    throw new ProviderError('give_up', `llama.cpp cannot be started: ${messageOf(cause)}`, { cause })
  }
}
