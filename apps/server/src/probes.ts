import type { Page, PageDescription } from '@fairlead/rest-adapter'
import type { Readiness, ReadinessStatus } from './readiness.ts'

const healthy: PageDescription = {
  operationId: 'healthz',
  summary: 'Whether the process lives.',
  responses: { 200: wordResponse('It lives.', 'ok') },
}

const ready: PageDescription = {
  operationId: 'readyz',
  summary: 'Whether requests should be sent here.',
  responses: {
    200: wordResponse('They should.', 'ready'),
    503: wordResponse(
      'They should not: the server is starting or stopping, the database is unavailable (`not ready`), or records can be read but not written, as on a full disk (`degraded`).',
      'not ready',
      'degraded',
    ),
  },
}

const healthyAnswer = probeAnswer(200, 'ok')
const readinessAnswers = {
  ready: probeAnswer(200, 'ready'),
  degraded: probeAnswer(503, 'degraded'),
  'not ready': probeAnswer(503, 'not ready'),
} satisfies Record<ReadinessStatus, ProbeAnswer>

/** What a probe answers while the service starts: the process is alive, and not ready. Undefined for another path. */
export function startupProbe(pathname: string): ProbeAnswer | undefined {
  if (pathname === '/healthz') return healthyAnswer
  return pathname === '/readyz' ? readinessAnswers['not ready'] : undefined
}

/** `/healthz` says that the process is alive, `/readyz` that requests should be sent to it. */
export function probes(readiness: Readiness): readonly Page[] {
  return [
    { path: '/healthz', description: healthy, answer: () => healthyAnswer },
    {
      path: '/readyz',
      description: ready,
      answer: async () => readinessAnswers[await readiness.check()],
    },
  ]
}

type ProbeAnswer = ReturnType<typeof probeAnswer>

function probeAnswer(status: number, word: string) {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify({ status: word }),
  }
}

function wordResponse(description: string, ...words: readonly string[]): PageDescription['responses'][string] {
  const status = { type: 'string', enum: words, description: 'The answer in a word.' } as const
  const schema = { type: 'object', required: ['status'], properties: { status } } as const
  return { description, content: { 'application/json': { schema } } }
}
