import type { Stores } from '@fairlead/storage'
import { Gauge, type Registry } from 'prom-client'
import type { Readiness } from './health.ts'

/** The parts of the process that its metrics observe, once it is composed. */
export interface Parts {
  readonly readiness: Pick<Readiness, 'check'>
  readonly stores: Pick<Stores, 'connections'>
  /** Undefined if the stores use the clock of this machine. */
  readonly clockSkewMs?: (() => number) | undefined
  requestsInFlight(): number
}

/** Metrics of the process: its version, whether it is ready, and its connections to the database. */
export function processMetrics(registry: Registry, version: string) {
  let parts: Parts | undefined
  const build = new Gauge({
    name: 'fairlead_build_info',
    help: 'The versions of Fairlead and Node.js. Its value is 1.',
    labelNames: ['version', 'node'],
    // Also the sum of several processes.
    aggregator: 'max',
    registers: [registry],
  })
  build.set({ version, node: process.version }, 1)
  const ready = new Gauge({
    name: 'fairlead_ready',
    help: '1 while /readyz returns 200, or else 0. With several processes, 0 if one of them is not ready.',
    aggregator: 'min',
    registers: [],
    async collect() {
      this.set(Number((await parts?.readiness.check())?.status === 'ready'))
    },
  })
  registry.registerMetric(ready)
  const inFlight = new Gauge({
    name: 'fairlead_http_requests_in_flight',
    help: 'HTTP requests that were not answered completely. Streams of events count.',
    registers: [],
    collect() {
      this.set(parts?.requestsInFlight() ?? 0)
    },
  })
  registry.registerMetric(inFlight)
  const reloadedAt = new Gauge({
    name: 'fairlead_reload_timestamp_seconds',
    help: 'When all nodes were last asked to reload, once this node has done so. In seconds since the epoch, 0 for never.',
    // One of several processes follows the others.
    aggregator: 'max',
    registers: [registry],
  })

  function addConnections(connections: NonNullable<Stores['connections']>): void {
    const current = new Gauge({
      name: 'fairlead_database_connections',
      help: 'Connections to PostgreSQL: in use, open and idle, and requests that wait for one.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { inUse, idle, waiting } = connections()
        this.set({ state: 'in_use' }, inUse)
        this.set({ state: 'idle' }, idle)
        this.set({ state: 'waiting' }, waiting)
      },
    })
    const max = new Gauge({
      name: 'fairlead_database_connections_max',
      help: 'The maximum number of connections to PostgreSQL.',
      registers: [],
      collect() {
        this.set(connections().max)
      },
    })
    registry.registerMetric(current)
    registry.registerMetric(max)
  }

  function addClockSkew(clockSkewMs: NonNullable<Parts['clockSkewMs']>): void {
    const skew = new Gauge({
      name: 'fairlead_clock_skew_seconds',
      help: 'How far the clock of this machine is ahead of that of PostgreSQL, which is used. 0 if less than a second.',
      // All processes of a node share its clock.
      aggregator: 'max',
      registers: [],
      collect() {
        this.set(clockSkewMs() / 1_000)
      },
    })
    registry.registerMetric(skew)
  }

  return {
    /** @param at when all nodes were asked to reload, in milliseconds since the epoch */
    reloaded: (at: number) => reloadedAt.set(at / 1_000),
    /** Adds the metrics of what was opened. */
    opened(opened: Parts): void {
      parts = opened
      if (opened.stores.connections) addConnections(opened.stores.connections)
      if (opened.clockSkewMs) addClockSkew(opened.clockSkewMs)
    },
  }
}
