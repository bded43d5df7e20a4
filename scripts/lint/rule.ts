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
  /** The function of a call, and what a member, a call, or a tagged template starts from. */
  readonly callee?: Node
  readonly object?: Node
  readonly tag?: Node
  readonly name?: unknown
  readonly arguments?: readonly Node[]
  /** The value of a literal. */
  readonly value?: unknown
  /** The texts of a template literal. */
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
}

type NodeType =
  | 'Program'
  | 'CallExpression'
  | 'ImportDeclaration'
  | 'ExportNamedDeclaration'
  | 'ExportAllDeclaration'
  | 'ImportExpression'
