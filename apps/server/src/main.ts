import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { type Logger, pino } from 'pino'
import { type Config, readConfig } from './config.ts'
import { loadConfigFile } from './config-file.ts'
import { announceDemo, demoHint } from './demo-commands.ts'
import { explainFailure } from './explain-failure.ts'
import { announceFirstLogin } from './first-login.ts'
import { logDestination } from './logging.ts'
import { chooseProviders, loadProviders } from './providers/choose-providers.ts'
import { misspelledVariables } from './providers/misspelled-variables.ts'
import { readSetup } from './read-setup.ts'
import { createReload, reloadAlone } from './reload/create-reload.ts'
import { onHangup } from './reload/on-hangup.ts'
import { requestReload, takePartInReloads } from './reload/reload-workers.ts'
import { releaseStartMemory } from './release-start-memory.ts'
import { type RunningServer, start } from './start.ts'
import {
  eventsMessage,
  jobsMessage,
  readyMessage,
  receiveConnections,
  reloadMessage,
} from './workers/receive-connections.ts'
import { reportAlive, tellEvents } from './workers/tell-primary.ts'
import { strictDefaults } from './stricter-defaults.ts'
import { runWorkers, stopSignals } from './workers/run-workers.ts'
import { listProviders, welcome } from './welcome.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const logTo = logDestination(1)
// Programs that read the output may end before the service does: `npm start | head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
/** Rejects a start that a signal interrupted. */
const interrupted = new Error('interrupted by a signal')

try {
  const config = readConfig(process.env)
  if (cluster.isPrimary) for (const warning of config.warnings) createLogger(config).warn(warning)
  if (config.workers > 1 && cluster.isPrimary) await supervise(config)
  else await serve(config)
} catch (error) {
  if (error !== interrupted) reportFailure(error)
}

function reportFailure(error: unknown): void {
  process.stderr.write(`Fairlead cannot start.\n${explainFailure(error)}\n`)
  process.exitCode = 1
  // An open channel to the primary process would keep the worker running.
  if (cluster.isWorker) process.disconnect()
}

async function serve(config: Config): Promise<void> {
  const file = await loadConfigFile(config.configFile, process.cwd())
  const chosen = await chooseProviders({ names: config.providers, file, environment: process.env })
  const isFirst = cluster.isPrimary || cluster.worker?.id === 1
  if (isFirst && config.providers === 'auto' && !file?.config.providers) {
    for (const warning of misspelledVariables(process.env)) createLogger(config).warn(warning)
  }
  const signaled = new AbortController()
  const reload = cluster.isWorker
    ? requestReload()
    : createReload(async () => reloadThis(await starting), createLogger(config))
  const starting: Promise<RunningServer> = start(config, {
    service: { name: 'Fairlead', version },
    logTo,
    file,
    chosen,
    reload,
    readSetup: () => readSetup(process.env, process.cwd()),
    loadProviders: () => loadProviders(chosen, { onWait: reportWait }),
    jobs: cluster.isPrimary,
    ...(cluster.isWorker && {
      connect: (server) => receiveConnections(server, config.port),
      eventsStored: tellEvents,
    }),
    signal: signaled.signal,
  })
  const stopOnce = onStopSignal(() => {
    signaled.abort(interrupted)
    void stop(starting)
  })
  // The primary process tells its workers to reload.
  if (cluster.isWorker) process.on('SIGHUP', () => {})
  else
    onHangup({
      stop: stopOnce,
      reload: () =>
        void starting.then(
          (running) => running.reload(),
          () => {},
        ),
    })
  const server = await starting
  const isTerminal = process.stdout.isTTY
  if (server.firstAdmin) {
    const hasLocalModels = chosen.some(({ name }) => name === 'local')
    const { demo, dataDirectory } = config
    const { signup } = strictDefaults(config)
    const text = welcome(server.firstAdmin, { baseUrl: server.baseUrl, signup, hasLocalModels, demo })
    const { email } = server.firstAdmin
    process.stdout.write(await announceFirstLogin(text, { email, dataDirectory, isTerminal }))
    if (!demo) process.stdout.write(demoHint)
  }
  releaseStartMemory()
  // Otherwise only an exit writes what the start compiled, and a killed service does not exit.
  flushCompileCache()
  if (cluster.isWorker) reportReady(server)
  if (!isFirst) return
  if (config.demo) {
    const { baseUrl, firstAdmin } = server
    process.stdout.write(announceDemo({ baseUrl, email: config.adminEmail, isTerminal, isFirst: !!firstAdmin }))
  }
  const processes = config.workers > 1 ? `, in ${config.workers} processes` : ''
  process.stdout.write(`Fairlead ${version} listens on ${server.baseUrl}${processes}, with ${listProviders(chosen)}.\n`)
}

async function reloadThis({ reloader }: RunningServer) {
  if (!reloader) throw new Error('this service cannot reload')
  return reloadAlone(reloader)()
}

function reportWait(names: readonly string[]): void {
  process.stdout.write(`Fairlead is waiting for ${names.join(' and ')} to load.\n`)
}

/** Tells the primary process that this worker is ready, and runs the jobs and reloads when asked to. */
function reportReady(server: RunningServer): void {
  process.on('message', (message) => {
    if (message === jobsMessage) server.startJobs()
    if (message === eventsMessage) server.wakeJobs()
    if (message === reloadMessage) void server.reload()
  })
  reportAlive()
  if (server.reloader) takePartInReloads(server.reloader)
  process.send?.(readyMessage)
}

function createLogger({ logLevel }: Config): Logger {
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, logTo)
}

async function supervise(config: Config): Promise<void> {
  await exit(await runWorkers(config, createLogger(config)))
}

/** Ends the process, also if nobody reads its log any more. */
async function exit(code: number): Promise<void> {
  // Node would wait for the system to finish a write that is blocked.
  if (!(await logTo.close())) process.kill(process.pid, 'SIGKILL')
  process.exit(code)
}

/** A signal may arrive twice: from the process group, and forwarded by npm. Returns what acts as a signal does. */
function onStopSignal(act: () => void): () => void {
  let isFirst = true
  const actOnce = () => {
    if (isFirst) act()
    isFirst = false
  }
  for (const signal of stopSignals) process.on(signal, actOnce)
  return actOnce
}

/** Ends the process once the server has stopped, or its start has failed. */
async function stop(starting: Promise<RunningServer>): Promise<void> {
  await starting.then(
    (server) => server.stop(),
    () => {},
  )
  await exit(0)
}
