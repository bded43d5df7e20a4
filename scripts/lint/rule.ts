/** The part of the plugin interface of oxlint and ESLint that our rules use. */
export interface Rule {
  create(context: RuleContext): Partial<Record<NodeType, (node: Node) => void>>
}

interface RuleContext {
  readonly filename: string
  readonly cwd: string
  report(problem: { node: Node; message: string }): void
}

export interface Node {
  /** The module of an import or a re-export. Null for `export const …`; any expression in `import(…)`. */
  readonly source?: { readonly value?: unknown } | null
}

type NodeType = 'Program' | 'ImportDeclaration' | 'ExportNamedDeclaration' | 'ExportAllDeclaration' | 'ImportExpression'
