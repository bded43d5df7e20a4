import {
  type AnalysisAnswer,
  type AnalysisRequest,
  type ProviderAnalyzer,
  type Capacity,
  type Provider,
  type ProviderCall,
  ProviderError,
} from '@fairlead/core/provider'
import { defaultWorkers, workerFile, workerPool } from '../worker-pool.ts'

export interface LocalAnalysisOptions {
  /** Threads. Default: three, or two on a machine of two cores or fewer. */
  readonly workers?: number
  /** Texts that may wait while all threads are busy. Default: 256. */
  readonly queue?: number
}

export interface LocalAnalysis extends Required<Pick<Provider, 'analyze' | 'close'>> {
  readonly analyzers: readonly ProviderAnalyzer[]
  readonly capacity: Capacity
}

/** The rules, the lexicons and the tagger all know English and nothing else. */
const languages = ['en'] as const

const reader: ProviderAnalyzer = {
  id: 'reader',
  tasks: { sentiment: languages, entities: languages, keywords: languages },
}

const defaultQueue = 256
/** A page of text takes a thread a few milliseconds. */
const usualMs = 10

/** Analyzes English text with rules and word lists: no network, no model weights, every text in a worker thread. */
export function localAnalysis(options: LocalAnalysisOptions = {}): LocalAnalysis {
  const workers = options.workers ?? defaultWorkers(3)
  const queue = options.queue ?? defaultQueue
  const pool = workerPool<AnalysisRequest, AnalysisAnswer>({
    file: workerFile('analysis-worker'),
    run: 'analyzeText',
    workers,
    queue,
    usualMs,
  })
  return {
    analyzers: [reader],
    capacity: { ids: [reader.id], concurrency: workers, queue },
    async analyze(request: AnalysisRequest, call: ProviderCall) {
      requireEnglish(request.language)
      return pool.run(request, call)
    },
    close: pool.close,
  }
}

function requireEnglish(language: string): void {
  if (language === 'en') return
  const detail = `reads English (en) only, not ${language}`
  throw new ProviderError('invalid_request', detail, { field: 'language', detail })
}
