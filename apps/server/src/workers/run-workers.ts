import cluster, { type Worker } from 'node:cluster'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@fairlead/core'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { limitConnections } from '../connection-limit.ts'
import { listen } from '../listen.ts'
import { coreLog } from '../logging.ts'
import { createReload } from '../reload/create-reload.ts'
import { onHangup } from '../reload/on-hangup.ts'
import { answerReloadRequests, reloadWorkers } from '../reload/reload-workers.ts'
import { answerMetrics } from './cluster-metrics.ts'
import { type Dispatcher, dispatchConnections, type Receiver } from './dispatch-connections.ts'
import {
  aliveMessage,
  connectionMessage,
  eventsMessage,
  jobsMessage,
  lastConnectionMessage,
  leaveMessage,
  nextConnectionMessage,
  readyMessage,
  reloadMessage,
} from './receive-connections.ts'
import { superviseWorkers, type WorkerProcess } from './supervise-workers.ts'

/** Signals after which the service finishes its requests and exits. */
export const stopSignals = ['SIGTERM', 'SIGINT'] as const

/** Connections that wait for a free worker. */
const maxWaitingConnections = 12_000

/**
 * Runs several processes of this program on one port. Resolves with the exit code when all have ended.
 *
 * The primary process listens on the port itself. The port of `cluster` would reset the connections in its queue and in the
 * backlog when the last worker closes.
 */
export async function runWorkers(
  { workers: count, host, port: wanted, drainDelayMs }: Config,
  logger: Logger,
): Promise<number> {
  answerMetrics()
  const { reloadAll, tellOne } = reloadWorkers(coreLog(logger))
  const server = createServer({ pauseOnConnect: true, noDelay: true })
  server.maxConnections = maxWaitingConnections
  limitConnections(server, logger)
  const dispatcher = dispatchConnections(server)
  const source = await listen(server, host, wanted)
  const supervisor = superviseWorkers({
    count,
    start: () => asProcess(cluster.fork({ PORT: String(source.port) }), dispatcher),
    clock: systemClock,
    onLoss: (how, waitMs) => logger.error({ exit: how, waitMs }, 'worker exited, starting another'),
    onHang: () => logger.error('a worker has not responded for 30 s, killing it'),
  })
  cluster.on('message', (_worker, message: unknown) => {
    if (message === eventsMessage) supervisor.wakeJobs()
  })
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    supervisor.stop()
    await sleep(drainDelayMs)
    await source.close()
    dispatcher.end()
  }
  for (const signal of stopSignals) process.on(signal, () => void stop())
  const reload = createReload(reloadAll, logger)
  answerReloadRequests(reload)
  onHangup({
    // A worker requests the reload, because it can add it to the audit log.
    reload: () => void (tellOne(reloadMessage) || reload({ trigger: 'SIGHUP' }).catch(() => {})),
    stop: () => void stop(),
  })
  return supervisor.ended
}

function asProcess(worker: Worker, dispatcher: Dispatcher): WorkerProcess {
  const receiver: Receiver = {
    take: (socket: Socket) => void worker.send(connectionMessage, socket, { keepOpen: true }, () => {}),
    end: () => sendTo(worker, lastConnectionMessage),
  }
  onMessage(worker, nextConnectionMessage, () => dispatcher.next(receiver))
  onMessage(worker, readyMessage, () => dispatcher.started(receiver))
  onMessage(worker, leaveMessage, () => dispatcher.leave(receiver))
  // After its last message, which may say that it has taken a connection.
  worker.process.on('close', () => dispatcher.remove(receiver))
  return {
    onReady: (act) => onMessage(worker, readyMessage, act),
    onEnd: (act) => void worker.on('exit', (code, signal) => act(signal ?? code)),
    onAlive: (act) => onMessage(worker, aliveMessage, act),
    runJobs: () => sendTo(worker, jobsMessage),
    wakeJobs: () => sendTo(worker, eventsMessage),
    kill: () => void worker.process.kill('SIGKILL'),
    stop: () => void worker.process.kill('SIGTERM'),
  }
}

function onMessage(worker: Worker, expected: string, act: () => void): void {
  worker.on('message', (message: unknown) => {
    if (message === expected) act()
  })
}

/** Ignores the error of sending to a worker that has just exited, which would end this process too. */
function sendTo(worker: Worker, message: string): void {
  worker.send(message, () => {})
}
