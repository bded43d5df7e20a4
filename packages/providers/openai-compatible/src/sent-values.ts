import { isObject, type JsonObject } from '@fairlead/core/provider'
import type * as z from 'zod'

/**
 * Reads a value as it was sent, once it has the shape. The shape names what an answer needs; all else is read leniently,
 * by the functions below.
 */
export function asSent<Shape extends z.ZodType>(shape: Shape): Pick<z.ZodType<z.input<Shape>>, 'safeParse'> {
  return {
    safeParse(value) {
      const read = shape.safeParse(value)
      return read.success
        ? { success: true, data: value as z.input<Shape> }
        : (read as z.ZodSafeParseError<z.input<Shape>>)
    },
  }
}

const none: readonly JsonObject[] = []

// Servers send some fields in other forms: one that is not of the type counts as missing.

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A number of tokens, or a position. */
export function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

export function objectIn(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

/** The objects of a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : none
}

/** The fields of an object other than the named ones. */
export function without(fields: object, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** The fields with a value; undefined if none has one. */
export function filled(fields: JsonObject): JsonObject | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
