import { TextField } from '../../components/field.tsx'
import type { AddressValues } from './shipment-values.ts'

export interface AddressFieldsProps {
  readonly label: string
  /** The name of the address on the wire. */
  readonly field: 'origin' | 'destination'
  readonly address: AddressValues
  readonly issues: ReadonlyMap<string, string>
  onChange(address: AddressValues): void
}

export function AddressFields({ label, field, address, issues, onChange }: AddressFieldsProps) {
  const input = (name: keyof AddressValues) => ({
    value: address[name],
    error: issues.get(`${field}.${name}`),
    onChange: ({ target }: { readonly target: HTMLInputElement }) => onChange({ ...address, [name]: target.value }),
  })
  return (
    <fieldset className="rounded-lg border border-line p-4 pt-2">
      <legend className="px-1 text-sm font-semibold">{label}</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-6">
        <TextField label="Name" required maxLength={128} className="col-span-2 sm:col-span-3" {...input('name')} />
        <TextField label="Street" required maxLength={128} className="col-span-2 sm:col-span-3" {...input('street')} />
        <TextField label="Postal code" required maxLength={128} {...input('postal_code')} />
        <TextField label="City" required maxLength={128} className="sm:col-span-2" {...input('city')} />
        <TextField label="Region" maxLength={128} {...input('region')} />
        <TextField
          label="Country"
          className="sm:col-span-2"
          required
          maxLength={2}
          placeholder="DE"
          title="Two letters, such as DE"
          pattern="[A-Za-z]{2}"
          {...input('country')}
        />
      </div>
    </fieldset>
  )
}
