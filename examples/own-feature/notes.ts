import { defineEvent, operationsFor, type ServicesWith } from '@fairlead/core'
import { instant, namedObject, textAtMost, textUpTo, toInstant } from '@fairlead/core/feature'
import * as z from 'zod'
import type { Note, NoteStore } from './note-tables.ts'

/** The service of the feature, besides Fairlead's. */
interface SearchIndex {
  add(note: Note): void
  find(word: string): readonly string[]
  close(): void
}

const { list, write, defineFeature } =
  operationsFor<ServicesWith<{ readonly notes: NoteStore }, { readonly index: SearchIndex }>>()

const note = namedObject('Note', 'A note.', {
  id: z.string().describe('Note id.'),
  text: z.string().describe('Text of the note.'),
  createdAt: instant.describe('When the note was added.'),
})

const noteAdded = defineEvent({
  type: 'note.added',
  summary: 'A note was added.',
  scope: 'notes',
  version: 1,
  data: note,
  example: {
    id: 'note_2144006262569685970448465458676461248',
    text: 'Buy tea.',
    createdAt: '2026-03-14T09:26:53.000Z',
  },
})

const addNote = write({
  name: 'addNote',
  summary: 'Adds a note.',
  access: { scope: 'notes' },
  metered: true,
  rest: { method: 'POST', path: '/notes' },
  graphql: { mutation: 'addNote' },
  input: z.strictObject({ text: textUpTo(1_000).describe('Text of the note.') }),
  output: note,
  creates: true,
  // `apply` gets a transaction in place of the services, so `prepare` passes the index on.
  prepare: ({ index }, _call, { text }) => ({ index, text }),
  // The note, its event, and the usage of the call are one transaction.
  async apply(tx, call, { index, text }) {
    const added: Note = { id: call.newId('note'), text, createdAt: call.at }
    await tx.notes.add(added)
    const record = toRecord(added)
    call.emit(noteAdded, record)
    call.afterCommit(() => index.add(added))
    return record
  },
})

const listNotes = list({
  name: 'notes',
  summary: 'Lists notes.',
  access: { scope: 'notes' },
  metered: false,
  rest: { method: 'GET', path: '/notes' },
  graphql: { query: 'notes' },
  filters: { word: textAtMost(100).optional().describe('Only notes with this word.') },
  record: note,
  find({ stores, index }, _call, { word }, slice) {
    const ids = word === undefined ? undefined : index.find(word)
    return stores.read((view) => view.notes.list(ids, slice))
  },
  show: toRecord,
})

function toRecord({ createdAt, ...facts }: Note): z.output<typeof note> {
  return { ...facts, createdAt: toInstant(createdAt) }
}

const retentionDays = 365

/** Notes, which are kept for a year. */
export const notes = defineFeature({
  name: 'notes',
  operations: { notes: { add: addNote, list: listNotes } },
  scopes: { notes: 'Read and add notes.' },
  tables: ['notes'],
  events: [noteAdded],
  sections: [{ name: 'Notes', description: 'Short texts.', segments: ['notes'] }],
  setUp({ stores }) {
    const index = searchIndex()
    return {
      services: { index },
      async start() {
        for (const each of await stores.read((view) => view.notes.all())) index.add(each)
      },
      removeExpired: ({ daysAgo, inBatches }) =>
        inBatches((tx, limit) => tx.notes.purge(daysAgo(retentionDays), limit)),
      close: () => index.close(),
    }
  },
})

function searchIndex(): SearchIndex {
  const idsByWord = new Map<string, string[]>()
  return {
    add({ id, text }) {
      for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
        idsByWord.set(word, [...(idsByWord.get(word) ?? []), id])
      }
    },
    find: (word) => idsByWord.get(word.toLowerCase()) ?? [],
    close: () => idsByWord.clear(),
  }
}
