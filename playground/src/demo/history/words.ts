export const names = [
  'qinglong',
  'baihe',
  'xuelian',
  'fengyun',
  'luoyue',
  'yanyu',
  'hanjiang',
  'moyu',
  'qiushui',
  'tianya',
  'lanting',
  'zhuying',
  'changge',
  'wuming',
  'yebai',
  'songtao',
] as const;

export const roleNames = [
  '青衫客',
  '折柳',
  '听雨',
  '踏雪',
  '弄影',
  '孤舟',
  '惊鸿',
  '望舒',
  '抱琴',
  '拾翠',
] as const;

export const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; Redmi Note 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
] as const;

export const promoters = ['演示·公众号', '演示·短视频', '演示·论坛置顶', '演示·老带新'] as const;

export const chatLines = [
  '组队刷灯塔，来两个',
  '有人卖灯油吗',
  '新区冲榜，加油',
  '今晚八点城门见',
  '谢谢大佬带我',
  '出一把旧剑，价好说',
  '公会收人，每天在线的来',
  '这个任务怎么过',
  '元宝到账了，挺快',
  '掉线了，等我一下',
  'anyone for the pagoda?',
  '早上好',
] as const;

export const bans = ['使用外挂', '恶意刷屏', '盗号申诉中', '线下交易'] as const;

export const notes = [
  '来电咨询提现到账时间，已答复',
  '邮箱换过一次，已核对身份',
  '举报他人外挂，已转主管',
] as const;
