import type { Rule } from './rule.ts'

export const noExportAll: Rule = {
  create: (context) => ({
    ExportAllDeclaration(node) {
      context.report({ node, message: 'List exported names: `export *` exports names by accident.' })
    },
  }),
}
