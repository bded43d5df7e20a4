import type { SettingStore } from '../ports/setting-store.ts'
import { readThrottle, type ThrottleRule, type ThrottleStore } from '../ports/throttle-store.ts'
import type { UndoLog } from './undo-log.ts'

interface Bucket {
  readonly hits: readonly number[]
  readonly expiresAt: number
}

export function memoryThrottles(undo: UndoLog): ThrottleStore {
  const buckets = new Map<string, Bucket>()

  const read = (bucket: string, rule: ThrottleRule) => readThrottle(buckets.get(bucket)?.hits ?? [], rule)

  return {
    read: async (bucket, rule) => read(bucket, rule),
    async hit(bucket, rule) {
      const { at, windowMs } = rule
      const reading = read(bucket, rule)
      if (reading.granted) undo.set(buckets, bucket, { hits: [...reading.hits, at], expiresAt: at + windowMs })
      return reading
    },
    clear: async (bucket) => undo.delete(buckets, bucket),
    async purge(before, limit) {
      const ended = [...buckets].filter(([, { expiresAt }]) => expiresAt < before).slice(0, limit)
      for (const [bucket] of ended) undo.delete(buckets, bucket)
      return ended.length
    },
  }
}

export function memorySettings(undo: UndoLog): SettingStore {
  const settings = new Map<string, string>()
  return {
    get: async (name) => settings.get(name),
    set: async (name, value) => undo.set(settings, name, value),
  }
}
