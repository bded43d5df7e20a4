import {
  type ArgumentNode,
  type DirectiveNode,
  type FieldNode,
  type GraphQLArgument,
  isInputType,
  isRequiredArgument,
  KnownArgumentNamesRule,
  ProvidedRequiredArgumentsRule,
  specifiedRules,
  typeFromAST,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
} from 'graphql'
import { faultError } from '../errors.ts'
import { faultsOfLiteral, unknownName } from './input-faults.ts'

/** The specified rules; those for inputs are replaced, because messages of graphql-js repeat values. */
export function documentRules(suggestions: boolean): readonly ValidationRule[] {
  const others = specifiedRules.filter(
    (rule) =>
      rule !== KnownArgumentNamesRule && rule !== ProvidedRequiredArgumentsRule && rule !== ValuesOfCorrectTypeRule,
  )
  return [...others, (context) => inputsRule(context, suggestions)]
}

/** Rejects arguments and literals that do not fit the schema, and names the invalid field. */
function inputsRule(context: Parameters<ValidationRule>[0], suggestions: boolean): ReturnType<ValidationRule> {
  function checkArguments(node: FieldNode | DirectiveNode, known: readonly GraphQLArgument[]): void {
    const sent = new Set(node.arguments?.map((argument) => argument.name.value))
    for (const argument of known) {
      if (!isRequiredArgument(argument) || sent.has(argument.name)) continue
      context.reportError(faultError({ field: argument.name, issue: 'is required' }, node))
    }
    const byName = new Map(known.map((argument) => [argument.name, argument]))
    for (const argument of node.arguments ?? []) checkArgument(argument, byName)
  }

  function checkArgument(node: ArgumentNode, known: ReadonlyMap<string, GraphQLArgument>): void {
    const name = node.name.value
    const argument = known.get(name)
    if (!argument) {
      const issue = unknownName(name, [...known.keys()], suggestions)
      return context.reportError(faultError({ field: name, issue }, node))
    }
    for (const { fault, value } of faultsOfLiteral(node.value, argument.type, name, suggestions)) {
      context.reportError(faultError(fault, value))
    }
  }

  return {
    Field(node) {
      const field = context.getFieldDef()
      if (field) checkArguments(node, field.args)
    },
    Directive(node) {
      const directive = context.getDirective()
      if (directive) checkArguments(node, directive.args)
    },
    VariableDefinition({ type: typeNode, defaultValue, variable }) {
      const type = typeFromAST(context.getSchema(), typeNode)
      if (!defaultValue || !isInputType(type)) return
      for (const { fault, value } of faultsOfLiteral(defaultValue, type, variable.name.value, suggestions)) {
        context.reportError(faultError(fault, value))
      }
    },
  }
}
