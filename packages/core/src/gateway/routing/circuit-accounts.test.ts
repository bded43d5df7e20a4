import { describe, expect, test, vi } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { lastPrompt, ProviderError, textAnswer, type Provider } from '../../provider.ts'
import { scripted, testCore, type TestCoreOptions, whileTimePasses } from '@fairlead/testing'

describe('circuit breaker with several accounts', () => {
  /** Three accounts, and a target that fails for the prompt "fail". */
  async function setup(options: TestCoreOptions = {}) {
    const provider: Provider = {
      ...scripted('shaky', 'hello'),
      async generateText(request) {
        if (lastPrompt(request) === 'fail') throw new ProviderError('retry', '503')
        return textAnswer('hello')
      },
    }
    const { fairlead, core, addCaller, clock, logged } = await testCore({ providers: [provider], ...options })
    const account = async () => {
      const { credentials, userId } = await addCaller()
      const generate = async (prompt: string) => {
        const reply = await core.run(operations.generate, credentials, { model: 'any', prompt })
        return reply.success ? 'success' : reply.error.code
      }
      const repeat = async (count: number, prompt: string) => {
        for (let call = 0; call < count; call++) await generate(prompt)
      }
      return { generate, repeat, userId }
    }
    const circuit = async () => (await fairlead.providers.list({}))[0]?.targets[0]?.circuit
    return {
      provider,
      hostile: await account(),
      victim: await account(),
      third: await account(),
      circuit,
      clock,
      logged,
    }
  }

  test('a circuit breaker with several accounts opens for the only account whose calls fail', async () => {
    const { hostile, victim, circuit, logged } = await setup()
    await hostile.repeat(5, 'fail')
    expect(await circuit()).toBe('open')
    expect(logged).toContainEqual(
      expect.objectContaining({
        message: 'circuit breaker opened',
        facts: expect.objectContaining({ account: hostile.userId }),
      }),
    )
    expect(await hostile.generate('x')).toBe('PROVIDER_UNAVAILABLE')
    expect(await victim.generate('x')).toBe('success')
  })

  test('a circuit breaker with several accounts lets every call of another account through, however many calls of the first fail', async () => {
    const { hostile, victim } = await setup()
    for (let round = 0; round < 50; round++) {
      await hostile.repeat(20, 'fail')
      expect(await victim.generate('x')).toBe('success')
    }
  })

  test('a circuit breaker with several accounts lets another account through while a trial of the first is in flight', async () => {
    const { hostile, victim, provider, clock } = await setup()
    await hostile.repeat(5, 'fail')
    clock.advance(1_000)
    const { generateText } = provider
    const hanging = vi.fn<NonNullable<Provider['generateText']>>(() => new Promise<never>(() => {}))
    provider.generateText = hanging
    void hostile.generate('x')
    await expect.poll(() => hanging.mock.calls.length).toBe(1)
    provider.generateText = generateText!
    expect(await victim.generate('x')).toBe('success')
  })

  test('a circuit breaker with several accounts opens for all accounts when others supply half of the failures', async () => {
    const { hostile, victim, third, circuit } = await setup()
    await hostile.repeat(5, 'fail')
    await victim.repeat(2, 'fail')
    expect(await third.generate('x')).toBe('success')
    await hostile.repeat(5, 'fail')
    await victim.repeat(2, 'fail')
    expect(await victim.generate('fail')).toBe('PROVIDER_ERROR')
    expect(await third.generate('x')).toBe('PROVIDER_UNAVAILABLE')
    expect(await circuit()).toBe('open')
  })

  test('a circuit breaker with several accounts opens for all accounts when several supply the failures', async () => {
    const { hostile, victim, third, logged } = await setup()
    for (const account of [hostile, victim, third, hostile, victim]) await account.generate('fail')
    expect(await third.generate('x')).toBe('PROVIDER_UNAVAILABLE')
    expect(logged.at(-1)?.facts).not.toHaveProperty('account')
  })

  test('a circuit breaker with several accounts retries a call of another account while the circuit is open for the first', async () => {
    const { hostile, victim, provider, clock } = await setup({ retries: { perTarget: 1 } })
    await whileTimePasses(clock, hostile.repeat(5, 'fail'))
    const { generateText } = provider
    let failures = 0
    provider.generateText = (request, call) =>
      failures++ === 0 ? Promise.reject(new ProviderError('retry', '503')) : generateText!(request, call)
    expect(await whileTimePasses(clock, victim.generate('x'))).toBe('success')
  })
})
