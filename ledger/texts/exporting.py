"""What is refused of exports, in two languages; of the form of asking.py."""

REFUSALS = """
export_kind 422
  No such export: {value} is no kind of export. There are: {allowed}.
  没有此种导出：{value} 不是导出种类。可选：{allowed}。
export_format 422
  Not in this format: {kind} is not written as {value}. There are: {allowed}.
  不支持此格式：{kind} 不能导出为 {value}。可选：{allowed}。
export_filter 422
  Not narrowed by this: {kind} does not take {value}. It takes: {allowed}.
  不支持此筛选：{kind} 不能按 {value} 筛选。可用：{allowed}。
export_choice 422
  No such choice: {value} is none of {allowed}.
  选项无效：{value} 不在可选范围内：{allowed}。
export_column 422
  No such column: {kind} has no column {value}, or it is named twice. There are: {allowed}.
  没有此列：{kind} 没有 {value} 这一列，或重复选择。可选：{allowed}。
export_columns_fixed 422
  Columns are fixed: A file of the form {format} has all it needs; leave columns out.
  列不可选：{format} 格式的列是固定的，请不要指定 columns。
export_days 422
  Days crossed: The first day {first} lies behind the last day {last}.
  日期颠倒：起始日 {first} 晚于截止日 {last}。
export_unknown 404
  No such export: There is no export {export} that you may have.
  没有此导出：不存在编号为 {export} 且您可查看的导出。
export_expired 404
  Expired: The files of this export are gone, or not there yet. Ask for it anew.
  已过期：此导出的文件已不在或尚未生成，请重新导出。
export_failed 500
  Not made: The export could not be made; whoever runs the service finds why in `paizhang jobs`.
  导出失败：未能生成导出文件；服务管理员可用 `paizhang jobs` 查看原因。
export_link_invalid 403
  No valid link: This link was not given for this file. Ask for the export: it tells its links.
  链接无效：此链接不是为该文件签发的。请查询该导出以获取链接。
export_link_over 403
  Link over: A link to a file holds a quarter of an hour. Ask for the export: it tells new ones.
  链接已失效：文件链接有效期为十五分钟。请查询该导出以获取新链接。
folder_missing 422
  No such folder: There is no folder {folder}.
  文件夹不存在：没有文件夹 {folder}。
output_unfit 422
  Not written: {output} cannot be written to: {fault}.
  无法写入：{output} 不可写：{fault}。
export_link_form 422
  Link malformed: The signature of a link is 64 hexadecimal digits.
  链接格式有误：链接签名应为 64 位十六进制数字。
"""
