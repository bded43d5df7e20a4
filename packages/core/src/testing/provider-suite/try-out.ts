import { onTestFinished } from 'vitest'
import type { Provider } from '../../gateway/provider.ts'
import { openTestUpstream } from '../test-upstream.ts'
import type { SuiteUpstream } from './suite-options.ts'
import type { KindReplay, SuiteTester } from './suite-tester.ts'

/** Has one test of the suite done for a provider; resolves to the reason where the test excuses it. */
export async function tryOut(
  title: string,
  makeProvider: (upstream: SuiteUpstream) => Provider,
  { replays, declare }: { readonly replays: readonly KindReplay[]; declare(tester: SuiteTester): void },
): Promise<unknown> {
  const tests = new Map<string, Parameters<SuiteTester['test']>>()
  declare({
    replays,
    requestOf: () => ({}),
    test: (...test) => void tests.set(test[0], test),
    requireSkipsToBeKnown() {},
  })
  const [, expectations, whyNot] = tests.get(title)!
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  const apiKey = 'sk-try-out-4f8a1c9e'
  const another = async () => makeProvider({ url: upstream.url, apiKey })
  const provider = await another()
  return whyNot?.(provider) ?? expectations({ provider, upstream, apiKey, another })
}
