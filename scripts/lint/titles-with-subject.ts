import type { Node, Rule } from './rule.ts'

const auxiliaries = 'is|are|has|have|does|do|can|cannot|may|must|never|that|with|without'
const verbs =
  'accepts|adds|aborts|allows|asks|begins|closes|continues|contains|counts|creates|ends|fails|finds|gets|gives|ignores|keeps|' +
  'leaves|lets|logs|makes|passes|reads|refuses|rejects|removes|repeats|replaces|requires|returns|runs|' +
  'says|sends|serves|shows|starts|stops|takes|tells|throws|tries|uses|waits|warns|yields'
const barePredicate = new RegExp(`^(${auxiliaries}|${verbs})\\b`)

/** Rejects titles of tests that begin with a predicate, because a list of failures does not show what it is about. */
export const titlesWithSubject: Rule = {
  create: (context) => ({
    CallExpression(node) {
      const [title] = node.arguments ?? []
      if (!title || !/^(test|it)$/.test(nameOf(node))) return
      const text = typeof title.value === 'string' ? title.value : (title.quasis?.[0]?.value.raw ?? '')
      const [verb] = barePredicate.exec(text) ?? []
      if (verb === undefined) return
      context.report({
        node: title,
        message: `Begin the title with its subject instead of \`${verb}\`, such as "createRouter rejects two routes with one path".`,
      })
    },
  }),
}

/** `test` for `test(…)`, `test.skipIf(…)(…)`, and `test.each`…`(…)`. */
function nameOf(node: Node): string {
  const inner = node.callee ?? node.object ?? node.tag
  return inner ? nameOf(inner) : String(node.name)
}
