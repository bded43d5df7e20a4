import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { createMetrics } from './metrics.ts'
import { findPrometheus, promtool } from './testing/prometheus.ts'
import { temporaryFolder } from './testing/run-main.ts'

const deploy = join(import.meta.dirname, '../../../deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

const dashboard = JSON.parse(read('grafana/fairlead.json')) as Dashboard
const rules = parse(read('prometheus/alerts.yaml')) as {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string; readonly for?: string }[]
  }[]
}
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const))
const alerts = rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => [alert, expr] as const))

/** The names of all metrics of a service with a database, webhooks, and providers. */
async function knownMetrics(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics()
  metrics.observer.deliveriesOpened?.(async () => ({ pending: 0, overdueMs: 0, disabledWebhooks: 0 }))
  metrics.opened({
    readiness: { check: async () => ({ status: 'ready' }) },
    stores: { connections: () => ({ inUse: 0, idle: 0, waiting: 0, max: 10 }) },
    clockSkewMs: () => 0,
    requestsInFlight: () => 0,
  })
  const text = await metrics.text()
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  )
  return new Set([...names, 'up'])
}

/** The name of a metric: a word before a selector, or a word with a known prefix. */
const metricName = /\b(?:(?:fairlead|nodejs|process)_\w+|up)\b/g

describe.each([
  ['deploy/grafana/fairlead.json', panels],
  ['deploy/prometheus/alerts.yaml', alerts],
])('%s', (_file, expressions) => {
  test('a dashboard of Grafana uses only metrics that /metrics has', async () => {
    const known = await knownMetrics()
    const used = expressions.flatMap(([, expression]) => expression.match(metricName) ?? [])
    expect(used.length).toBeGreaterThanOrEqual(expressions.length)
    expect(used.filter((name) => !known.has(name))).toEqual([])
  })

  test('a dashboard of Grafana has expressions that Prometheus can parse', ({ skip }) => {
    skip(!findPrometheus())
    const record = expressions.map(([, expression], at) => ({
      record: `r${at}`,
      expr: expression.replaceAll('$__rate_interval', '5m'),
    }))
    const file = join(temporaryFolder(), 'rules.yaml')
    writeFileSync(file, stringify({ groups: [{ name: 'all', rules: record }] }))
    expect(promtool('check', 'rules', file)).toMatchObject({ code: 0 })
  })
})

test('promtool accepts the rules and the configuration', ({ skip }) => {
  skip(!findPrometheus())
  expect(promtool('check', 'rules', join(deploy, 'prometheus/alerts.yaml'))).toMatchObject({ code: 0 })
  expect(promtool('check', 'config', join(deploy, 'prometheus/prometheus.yaml'))).toMatchObject({ code: 0 })
})

test.for([
  ['FairleadErrors', 'fairlead_http_requests_total{status="500", route="/generate", instance="a"}', []],
  [
    'FairleadProviderFailing',
    'fairlead_provider_failures_total{provider="a"}',
    ['fairlead_provider_calls_total{provider="a"}'],
  ],
  ['FairleadWebhooksFailing', 'fairlead_webhook_attempts_total{outcome="failed"}', []],
] as const)(
  '%s fires for many failures, and not for a single one in a quiet hour',
  ([name, series, others], { skip }) => {
    skip(!findPrometheus())
    const folder = temporaryFolder()
    const rule = rules.groups.flatMap((group) => group.rules).find(({ alert }) => alert === name)!
    // The labels and texts of an alert do not matter here.
    const bare = { alert: name, expr: rule.expr, for: rule.for }
    writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'one', rules: [bare] }] }))
    const fires = (values: string) => {
      const input = [series, ...others].map((each) => ({ series: each, values }))
      const alert_rule_test = [{ eval_time: '20m', alertname: name, exp_alerts: [] }]
      const tests = [{ interval: '1m', input_series: input, alert_rule_test }]
      const file = join(folder, 'test.yaml')
      writeFileSync(file, stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }))
      return promtool('test', 'rules', file).code !== 0
    }
    // Two failures at 16 minutes, and 30 a minute.
    expect([fires('0x15 2x10'), fires('0+30x30')]).toEqual([false, true])
  },
)

test('the variable of the dashboard reads a metric that /metrics has', async () => {
  const { definition = '' } = dashboard.templating.list.find(({ name }) => name === 'instance') ?? {}
  expect(definition).toBe('label_values(fairlead_build_info, instance)')
  expect(await knownMetrics()).toContain('fairlead_build_info')
})

test('docs/operating/observability.md explains every alert', () => {
  const page = readFileSync(join(deploy, '../docs/operating/observability.md'), 'utf8')
  expect(alerts.filter(([name]) => !page.includes(`| \`${name}\``))).toEqual([])
})
