import { Button, type ButtonProps } from './button.tsx'
import type { IconComponent } from './icons.tsx'

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label'> {
  readonly icon: IconComponent
  /** Read by screen readers, and shown as a tooltip. */
  readonly label: string
}

export function IconButton({ icon: Icon, label, variant = 'ghost', size = 'md', ...props }: IconButtonProps) {
  return (
    <Button
      variant={variant}
      size={size}
      aria-label={label}
      title={label}
      {...props}
      className={`${size === 'sm' ? 'w-7' : 'w-8'} px-0! ${props.className ?? ''}`}
    >
      <Icon aria-hidden className="size-4" />
    </Button>
  )
}
