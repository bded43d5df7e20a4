import { relative, sep } from 'node:path'
import type { Rule } from './rule.ts'

const hidesItsSubject = /(^|-)(utils?|helpers?|managers?|misc)$|^(common|types?)$/

/** Rejects names of files and folders that do not describe their content. */
export const tellingFileNames: Rule = {
  create: (context) => ({
    Program(node) {
      const names = relative(context.cwd, context.filename).split(sep)
      const vague = names.map((name) => name.split('.')[0]!).find((name) => hidesItsSubject.test(name))
      if (!vague) return
      context.report({
        node,
        message: `\`${vague}\` hides a better name: a file is named for the one thing that it exports.`,
      })
    },
  }),
}
