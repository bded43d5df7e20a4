import type * as z from 'zod'
import type { Declaration, ActionFunctions } from '../../runtime/declare.ts'
import type { ActionFacts, OperationFacts, StreamFacts } from '../../runtime/operation.ts'
import type { OperationRun } from '../../runtime/run/operation-run.ts'
import type { TextGeneration, TextPlan } from './generate-text.ts'
import type { Generation, GenerationChunk, textInput } from './generation.ts'

/**
 * The functions of an action that generates one text.
 *
 * @example
 *   action({
 *     name: 'title',
 *     …
 *     generate: ({ text }) => ({ model: 'scribe', prompt: `Write a title for this text: ${text}` }),
 *     map: ({ content }) => ({ title: content }),
 *   })
 */
export interface Generating<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Chunk extends z.ZodType,
> extends ActionFacts<Output> {
  /** Returns the input of `generate`: the model, the prompt or messages, and settings. Its errors are free of charge. */
  readonly generate: (input: z.output<Input>, call: OperationRun) => z.input<typeof textInput>
  /** Makes the result of the answer. */
  readonly map: (answer: Generation, input: z.output<Input>) => z.output<Output>
  /** Streams the result. Callers request it with `stream: true`, a field that is added to the input. */
  readonly stream?: StreamFacts<Output, Chunk> & {
    /** Makes a chunk of a chunk of the answer. Undefined for one that shows nothing. */
    readonly map: (chunk: GenerationChunk, input: z.output<Input>) => z.output<Chunk> | undefined
  }
}

/** The declaration with the functions of any action. */
export function withTextFunctions<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Chunk extends z.ZodType,
>({
  generate,
  map,
  stream,
  ...facts
}: OperationFacts<Name, Input, Output> & Generating<Input, Output, Chunk>): Declaration<
  Name,
  Input,
  Output,
  { readonly text: TextGeneration },
  TextPlan,
  ActionFunctions<Input, Output, { readonly text: TextGeneration }, TextPlan, Chunk>
> {
  return {
    ...facts,
    prepare: ({ text }, call, input) => text.prepare(call, generate(input, call)),
    run: async ({ text }, call, { input, plan }) => map(await text.generate(call, plan), input),
    ...(stream && {
      stream: {
        ...stream,
        async *run({ text }, call, { input, plan }) {
          const chunks = text.stream(call, plan)
          try {
            for (;;) {
              const { done, value } = await chunks.next()
              if (done) return map(value, input)
              const chunk = stream.map(value, input)
              if (chunk !== undefined) yield chunk
            }
          } finally {
            void chunks.return(undefined as never)
          }
        },
      },
    }),
  }
}
