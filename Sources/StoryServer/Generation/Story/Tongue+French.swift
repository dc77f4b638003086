extension Tongue {
  static let french = Tongue(
    tales: [
      .bedtime: Tale(
        titles: ["{name} dit bonne nuit à la lune", "La lune à la fenêtre"],
        opening: [
          """
          Dans la maison, le silence s’installait pièce après pièce. La cuisine dormait, l’escalier \
          dormait, et sous le toit seule une petite lampe veillait encore. Dans le lit près de la \
          fenêtre, la couverture jusqu’au menton, {name} gardait les yeux grands ouverts.
          """,
          """
          Dehors, le dernier oiseau s’était tu, et les réverbères s’allumaient l’un après l’autre comme \
          une rangée de petites lunes jaunes. Dans la chambre sous le toit, au bord du lit, {name} \
          écoutait venir la nuit.
          """,
        ],
        wish: [
          """
          Une chose ne pouvait pas attendre demain : souhaiter bonne nuit à la lune. Hier encore, elle \
          était là, ronde et douce, au-dessus de la cheminée. « Juste un petit mot, murmura {name}, et \
          après je dors. »
          """
        ],
        trouble: [
          """
          Mais ce soir, le ciel était couvert. Les nuages s’empilaient comme des oreillers dans une \
          armoire, et pas un rayon ne passait. Sur le rebord de la fenêtre se tenait une jeune chouette \
          perdue. « Sans la lune, je ne trouve plus mon arbre », dit-elle d’une toute petite voix.
          """
        ],
        help: [
          """
          La petite lampe fut posée à la fenêtre, et sa lumière tomba sur le jardin comme un sentier \
          étroit. Puis {name} fredonna lentement la chanson que l’on chantait depuis toujours dans cette \
          chambre. La chouette tourna la tête. Au loin, une autre chouette répondit, une fois, deux \
          fois, et le chemin du retour s’entendait maintenant même dans le noir.
          """
        ],
        end: [
          """
          La chouette ouvrit les ailes et disparut sans un bruit. Au même instant, les nuages \
          s’écartèrent un peu, comme un rideau que l’on pousse du bout du doigt. La lune était là. « Bonne \
          nuit », dit {name}, et l’on aurait cru voir la lune hocher la tête.
          """
        ]),
      .schoolDay: Tale(
        titles: ["{name} et la page envolée", "Un jour de grand vent à l’école"],
        opening: [
          """
          Ce matin-là, l’école sentait la craie, les manteaux mouillés et les pommes du grand panier près \
          de la porte. La cloche avait déjà sonné. Au troisième rang, côté fenêtre, {name} tenait une \
          feuille pliée et dépliée tant de fois qu’elle était devenue douce comme une étoffe.
          """
        ],
        wish: [
          """
          Sur cette feuille, il y avait un poème. Huit vers, et une semaine entière de travail. Il fallait \
          le lire aujourd’hui à voix haute, devant tout le monde, et rien au monde ne comptait davantage pour \
          {name} : arriver au dernier vers sans trébucher.
          """
        ],
        trouble: [
          """
          C’est alors que quelqu’un ouvrit la fenêtre. Un coup de vent entra, regarda autour de lui, \
          prit la page et ressortit. Le poème traversa la cour, fit une cabriole et se posa tout en haut du \
          marronnier. Toute la classe courut voir. « Il est perdu », soupira une voix au fond.
          """
        ],
        help: [
          """
          « Il nous faut un balai, une chaise et tout le monde », dit {name}. L’un tint la chaise, deux \
          autres le balai, et le plus petit donna les ordres, car c’est d’en bas que l’on voit le mieux. La \
          branche trembla, les feuilles bruissèrent, et la page descendit doucement, de main en main, comme \
          si elle voulait saluer chacun.
          """
        ],
        end: [
          """
          Elle portait maintenant une tache verte en forme de feuille, et la classe décida que c’était le \
          neuvième vers. Les huit autres, {name} les lut d’une voix claire, et personne ne toussa. Après \
          quoi le poème fut accroché au mur, à côté de la fenêtre, bien fermée cette fois.
          """
        ]),
      .birthday: Tale(
        titles: ["{name} et la fête qui descendit l’escalier", "Une chaise pour tout le monde"],
        opening: [
          """
          La journée commença par une odeur de vanille. Il y avait des étoiles en papier autour de la \
          lampe, un gâteau qui penchait un peu, et une porte à ne pas ouvrir avant que l’on crie \
          « Maintenant ! ». Derrière cette porte, en chaussettes, {name} comptait les secondes.
          """
        ],
        wish: [
          """
          Les cadeaux, c’était bien, et le gâteau, encore mieux. Mais le vrai souhait de cet anniversaire \
          était ailleurs : toute la famille autour d’une seule table, les petits cousins, les oncles bruyants, \
          et surtout Grand-père, qui savait les plus belles histoires.
          """
        ],
        trouble: [
          """
          À trois heures, le téléphone sonna. C’était Grand-père, en bas, dans l’entrée. L’ascenseur \
          était en panne, et cinq étages, c’était trop pour ses genoux. « Faites la fête là-haut, dit-il, \
          je vous ferai signe depuis la rue. » Autour du gâteau, plus personne ne parlait.
          """
        ],
        help: [
          """
          « Si Grand-père ne peut pas monter à la fête, dit {name}, la fête va descendre chez \
          Grand-père. » Chacun prit quelque chose : les chaises, la cruche, les étoiles en papier, la \
          limonade. Même le gâteau penché descendit, marche après marche, sous la garde de quatre \
          personnes, et arriva dans la cour en penchant de l’autre côté.
          """
        ],
        end: [
          """
          Les voisins entendirent chanter et apportèrent des tasses et un banc. À la fin, il y avait deux \
          tables et toujours pas assez de place. Grand-père raconta l’histoire de la chèvre dans le \
          tramway, et quand les bougies s’éteignirent, {name} n’avait plus rien à souhaiter.
          """
        ]),
      .weekend: Tale(
        titles: ["{name} et le petit bateau", "Un bateau nommé Samedi"],
        opening: [
          """
          Le samedi s’étendait comme un pré sans barrière. Pas de cloche, pas de cartable, seulement un \
          bout de bois, une pelote de ficelle et un vieux mouchoir à pois bleus. Quand le chocolat fut \
          froid dans la tasse, {name} avait fait de tout cela un bateau.
          """
        ],
        wish: [
          """
          C’était un beau bateau à la voile tachetée. Il devait maintenant suivre le ruisseau, passer le \
          saule et les trois pierres plates, et atteindre le pont de bois. « Jusqu’au bout et sans aide », \
          dit {name} en le posant doucement sur l’eau.
          """
        ],
        trouble: [
          """
          Le premier virage se passa bien. Au deuxième, le bateau se mit à tourner, et entre les pierres \
          plates il resta coincé. L’eau y était trop basse. Sur la rive, une cane et ses cinq canetons ne \
          pouvaient pas avancer non plus. Ils regardaient le bateau comme si c’était sa faute.
          """
        ],
        help: [
          """
          Caillou après caillou, un petit mur grandit en travers du courant, juste assez haut pour faire \
          patienter l’eau. Il fallut longtemps, et jusqu’aux genoux tout fut trempé. Puis le ruisseau monta \
          d’une largeur de main, souleva le bateau par-dessus les pierres, et les cinq canetons le suivirent, à \
          la queue leu leu. Sur la rive, {name} applaudit.
          """
        ],
        end: [
          """
          Au pont, tout le monde arriva au même moment : le bateau, les canards et {name}, à bout de \
          souffle. Le petit mur fut défait, pour que le ruisseau puisse aller où bon lui semblait. Sur le \
          chemin de la maison, la voile séchait au vent du soir.
          """
        ]),
      .rainyDay: Tale(
        titles: ["{name} et la rue changée en lac", "Où va la pluie"],
        opening: [
          """
          Il pleuvait depuis le petit déjeuner. La pluie tambourinait sur le toit, chuchotait dans la \
          gouttière, et sur la vitre les gouttes faisaient des courses où personne ne gagnait. Le nez contre le \
          carreau, {name} regardait la rue passer du gris à l’argent.
          """
        ],
        wish: [
          """
          Où va donc toute cette eau ? À table, personne n’avait su répondre. On sortit les bottes \
          jaunes et le grand parapluie à la baleine tordue, car {name} voulait suivre la pluie jusqu’au \
          bout.
          """
        ],
        trouble: [
          """
          La piste longeait le trottoir, passait devant la boulangerie et tournait au coin. Là, elle \
          s’arrêtait. L’eau était devenue un lac, et le lac avançait vers la porte de la vieille madame \
          Tilleul, qui se tenait derrière avec un balai sans savoir par où commencer. « Elle vient plus \
          vite que je n’essuie ! » cria-t-elle.
          """
        ],
        help: [
          """
          Le bout de la pluie n’était plus difficile à trouver : c’était une grille de fer, et la moitié \
          des feuilles de l’automne reposait dessus. Avec un râteau, puis à deux mains, {name} les tira de \
          là, un tas, et encore un tas. Soudain l’on entendit un glouglou profond et satisfait, et \
          le lac se mit à tourner et à baisser.
          """
        ],
        end: [
          """
          Ensuite il y eut du chocolat derrière la porte, et une serviette chaude. Madame Tilleul parla \
          des tuyaux sous la ville, du fleuve, et de la mer au bout de tout. « Alors c’est là qu’elle va », \
          dit {name}, et dehors la pluie faisait un bruit d’applaudissements.
          """
        ]),
      .family: Tale(
        titles: ["{name} et la photo de tout le monde", "Que personne ne bouge"],
        opening: [
          """
          Le dimanche, toute la famille se retrouva : les tantes avec leurs moules à gâteau, l’oncle à \
          l’accordéon, les jumeaux qui ne tenaient jamais en place et le bébé avec son unique dent. La \
          maison bourdonnait comme une ruche. Au milieu, le vieil appareil photo autour du cou, {name} \
          attendait.
          """
        ],
        wish: [
          """
          Au-dessus du canapé, il y avait beaucoup de photos, mais sur chacune il manquait quelqu’un. \
          Aujourd’hui, enfin, il y en aurait une avec tout le monde. L’endroit était même choisi : sous \
          le pommier, où la lumière était douce. Rien n’aurait pu faire plus plaisir à {name}.
          """
        ],
        trouble: [
          """
          Autant attraper des moineaux. Quand les jumeaux étaient là, l’oncle accordait son accordéon. \
          Quand l’oncle arrivait, les tantes se disputaient pour une cuillère de sucre. Le bébé se mit à \
          pleurer, puis l’un des jumeaux, et un nuage vint se mettre devant le soleil. « Laissons tomber », \
          soupira quelqu’un.
          """
        ],
        help: [
          """
          Au lieu d’appeler encore, {name} prit place dans l’herbe et chanta, tout doucement, la chanson \
          des sept oies. Dans cette famille, tout le monde la connaissait. L’accordéon s’y joignit, \
          puis les tantes, à deux voix. Les jumeaux vinrent faire les oies, et le bébé oublia ses larmes \
          et battit la mesure avec une cuillère.
          """
        ],
        end: [
          """
          Au dernier couplet, l’appareil fit clic. La photo était un peu de travers, une oie avait bougé, et \
          la cuillère n’était qu’un trait brillant. Mais il ne manquait personne. Elle occupe maintenant la \
          meilleure place, et quiconque la regarde se met à fredonner, à commencer par {name}.
          """
        ]),
      .friendship: Tale(
        titles: ["{name} et la fille d’à côté", "Une rue dessinée à la craie"],
        opening: [
          """
          Depuis des semaines, la maison d’à côté était vide. Et voilà qu’il y avait des cartons sur le \
          trottoir, un vélo bleu et une cage avec deux oiseaux verts. Sur les marches se tenait une fille nommée \
          Noor. Par-dessus la haie, entre deux feuilles, {name} regardait.
          """
        ],
        wish: [
          """
          Pas facile de jouer sans personne dans une rue. Comme ce serait bien d’avoir quelqu’un pour la \
          marelle, pour les secrets et pour les après-midi de pluie ! « Aujourd’hui, j’y vais », dit {name} \
          en prenant le ballon rouge, car un ballon facilite les commencements.
          """
        ],
        trouble: [
          """
          Mais Noor ne comprenait pas un mot. Elle parlait une autre langue, vive et ronde comme des \
          cailloux dans un torrent. Quand le ballon roula vers elle, elle crut à un cadeau et l’emporta \
          dans la maison. La porte se referma. Dehors restait {name}, sans ballon et sans amie.
          """
        ],
        help: [
          """
          Au fond d’une poche, il y avait encore un morceau de craie. Sur le trottoir, {name} dessina une \
          maison, puis une autre, et entre les deux, deux enfants avec un ballon. La porte s’entrouvrit. \
          Noor sortit, regarda, éclata de rire et prit la craie. À côté des maisons, elle dessina les \
          oiseaux, une mer et un bateau venu de loin.
          """
        ],
        end: [
          """
          Le soir, la rue entière était couverte d’images. Des deux côtés, on avait appris six mots dans \
          la langue de l’autre, et le plus beau voulait dire « demain ». Le ballon rouge resta entre les \
          deux portes, exactement au milieu, là où Noor et {name} le retrouveraient.
          """
        ]),
      .learning: Tale(
        titles: ["{name} et le vélo vert", "Jusqu’au tilleul"],
        opening: [
          """
          Le vélo était vert, et sa sonnette faisait un bruit de grenouille joyeuse. Depuis le printemps, \
          il attendait contre le mur. Ce matin, on avait enlevé les deux petites roues à l’arrière, et il \
          semblait plus haut qu’avant. Autour de lui, {name} fit trois fois le tour.
          """
        ],
        wish: [
          """
          Au bout du chemin se dressait un tilleul. Les grands y allaient à toute allure, touchaient \
          l’écorce et revenaient. Rouler jusqu’à cet arbre, sans une main sur la selle : voilà le rêve qui \
          accompagnait {name} depuis une semaine.
          """
        ],
        trouble: [
          """
          Le premier essai finit dans la haie. Le deuxième finit dans l’herbe, et le troisième à côté d’un \
          chat fort surpris. Un genou brûlait, le guidon était de travers, et derrière le portail quelqu’un \
          pouffa. Et si c’était trop difficile ? L’arbre paraissait aussi loin que la lune.
          """
        ],
        help: [
          """
          Pas tout le chemin d’un coup, alors, mais seulement jusqu’à la boîte aux lettres. Et puis \
          jusqu’au banc. Regarder devant, pas en bas ! À chaque tour de pédale, {name} comptait tout haut, \
          cinq, puis neuf, puis quatorze, et quelque part après vingt le vélo cessa de trembler, comme s’il \
          avait compris.
          """
        ],
        end: [
          """
          L’écorce du tilleul était rugueuse et tiède. Une main posée dessus, {name} écouta un moment les \
          abeilles. Au retour, la sonnette de grenouille ne se tut pas un instant, et même le chat s’écarta \
          poliment. Le genou, depuis longtemps, ne faisait plus mal.
          """
        ]),
      .helping: Tale(
        titles: ["{name} et le chat sur le toit", "Une planche, un bol et un peu de temps"],
        opening: [
          """
          Dans la maison du coin vivaient monsieur Bruno, qui était vieux et marchait avec deux cannes, et \
          sa chatte Minka, qui était jeune et marchait où elle voulait. Chaque après-midi, on les voyait \
          ensemble sur le banc. Quand {name} passa ce jour-là, l’un des deux manquait.
          """
        ],
        wish: [
          """
          « Minka n’est pas rentrée depuis hier soir », dit monsieur Bruno en caressant la place vide. Il \
          n’y avait pas à réfléchir longtemps. « Je vais la trouver », dit {name}, et rien cet après-midi-là \
          ne semblait plus important.
          """
        ],
        trouble: [
          """
          Elle n’était ni sous la haie ni dans la cave. Enfin, un son très mince vint d’en haut : sur le toit \
          de la remise, tout au bord, Minka tremblait. Un chien l’avait poursuivie jusque-là. Elle ne savait \
          plus descendre, et à chaque appel elle reculait encore un peu.
          """
        ],
        help: [
          """
          Grimper était interdit, et appeler n’arrangeait rien. Une longue planche fut donc appuyée contre le \
          toit, avec un bol de lait au pied, et juste à côté {name} ouvrit un livre. Page après page, \
          l’histoire fut lue à voix haute, calmement, comme s’il n’y avait pas de chat au monde. Après la \
          quatrième page, deux pattes étaient sur la planche.
          """
        ],
        end: [
          """
          Minka but le lait jusqu’à la dernière goutte. Puis elle se laissa porter à la maison en ronronnant \
          comme un petit moteur. Monsieur Bruno ne dit rien, il se poussa seulement sur le banc. Il y avait \
          de la place pour trois, et {name} y resta jusqu’à la première étoile.
          """
        ]),
      .holiday: Tale(
        titles: ["{name} et le crabe à une pince", "Le coquillage qui connaissait la mer"],
        opening: [
          """
          Après la dernière colline, elle était là, la mer, plus grande que sur toutes les photos. Elle \
          sentait le sel et le lointain. À peine les valises posées, {name} courut pieds nus jusqu’à \
          l’endroit précis où le sable devient sombre.
          """
        ],
        wish: [
          """
          À la maison, quelqu’un avait parlé de coquillages où la mer continue de gronder, même dans une \
          chambre, même en hiver. Il en fallait un, aujourd’hui, avant le coucher du soleil. Pas à pas, \
          {name} suivit la longue ligne d’écume.
          """
        ],
        trouble: [
          """
          Entre les pierres brillait le plus beau coquillage de tous, rayé comme un bonbon. Mais dès que \
          la main s’approcha, il s’en alla tout seul. Un petit crabe à une pince l’habitait ! La marée \
          l’avait oublié dans un creux, et l’eau, là-dedans, devenait tiède et de plus en plus rare.
          """
        ],
        help: [
          """
          À deux mains et avec une pelle de plage, {name} creusa un canal depuis le creux jusqu’à la mer. \
          Deux fois, le sable glissa, et deux fois il fut creusé de nouveau, plus profond. Puis la première \
          vague trouva le chemin. Le crabe attendit, leva sa pince comme pour saluer, et se laissa \
          emporter.
          """
        ],
        end: [
          """
          À la place du crabe restait un autre coquillage, gris, tout simple, et vide. Il n’avait pas la \
          moindre rayure. Mais lorsqu’on le posait contre l’oreille, on entendait un grondement doux et sans \
          fin. Dans la valise qui ramena {name} à la maison, il voyagea au fond d’une chaussette.
          """
        ]),
    ],
    own: Tale(
      titles: ["{name} et « {event} »", "« {event} », une histoire pour {name}"],
      opening: [
        """
        Certains jours ressemblent à tous les autres quand ils commencent. Le pain est sur la table, \
        l’horloge fait tic-tac, et quelque part une porte se ferme. C’était un de ces matins, et pourtant \
        {name} sut aussitôt quel jour ce serait : le jour qui s’appelle « {event} ».
        """
      ],
      wish: [
        """
        Tout commença par une idée, et l’idée disait ceci : « {seed} » Avec une telle idée en tête, on ne \
        tient pas en place. Alors {name} mit ses deux chaussures, la gauche d’abord, et partit voir ce qu’il en \
        adviendrait. L’histoire devait avoir un ton bien à elle : « {tone} ».
        """
      ],
      trouble: [
        """
        Au début, tout alla comme de soi-même. Mais à mi-route le chemin s’arrêta, sans le moindre \
        panneau. Devant, il n’y avait plus qu’un fourré de questions, et personne en vue pour y répondre. \
        Il aurait été facile de faire demi-tour. Sur un poteau, un petit oiseau pencha la tête, comme s’il \
        attendait une décision.
        """
      ],
      help: [
        """
        « Une chose après l’autre », dit {name} à l’oiseau. La plus grosse question fut coupée en petites, et \
        les petites ne faisaient plus peur. L’une céda quand on la regarda de près, une autre quand on \
        demanda poliment, et la dernière quand on en rit. Derrière elles, le chemin continuait, comme \
        avant.
        """
      ],
      end: [
        """
        Le soir, il y eut beaucoup à raconter à table. « {event} » était devenu un jour dont on se souvient, \
        un peu différent de ce qui était prévu, et meilleur. L’oiseau du poteau s’était posé sur le \
        rebord de la fenêtre, et {name} la laissa ouverte d’une largeur de main.
        """
      ]),
    keywords: "Dans le carnet de ce jour-là, il n’y avait que quelques mots : {keywords}.",
    hero: [
      "En rencontrant {name}, on remarquait vite {having}.",
      "Passer une journée avec {name}, c’était trouver {having}.",
      "Quand on cherchait {having}, c’est vers {name} qu’il fallait se tourner.",
    ],
    age: "À {age} ans, on sait déjà quelques choses et l’on s’étonne encore de toutes les autres.",
    words: "Les amis avaient leurs propres mots pour le dire : {words}.",
    gift: [
      "Et il y avait autre chose, écrit en une ligne sur la première page d’un journal : « {gift} ».",
      "Il existait aussi un don particulier que tout le monde ne connaissait pas : « {gift} ».",
      "Un secret en faisait partie, et il était court : « {gift} ».",
    ],
    turn: [
      """
      Un instant, on n’entendit plus qu’un battement de cœur. Puis {name} respira profondément, une \
      fois, et encore une fois. Si quelque chose pouvait aider maintenant, c’était {trait}.
      """,
      """
      Les yeux fermés, {name} compta lentement jusqu’à trois. À un, il n’y avait que le souci, à deux \
      vint une idée, et à trois {trait} revint comme une main chaude sur l’épaule.
      """,
      """
      D’autres auraient peut-être renoncé. Mais {name} resta là et regarda encore une fois la chose de \
      tous les côtés. Ce qui fit la différence, ce fut {trait}.
      """,
    ],
    giftTurn: [
      "Et n’y avait-il pas cette ligne, « {gift} » ? Un jour pareil, il est bon de s’en souvenir.",
      "Que disait-il, déjà, ce don ? « {gift} ». Il n’y avait pas de meilleur moment.",
      "Tout bas, le don secret se fit sentir lui aussi, et tout devint un peu plus léger.",
    ],
    close: [
      """
      Plus tard, la lumière s’éteignit, et la nuit posa sa couverture sur les toits. Tout ce qui devait \
      être fait était fait. Dors bien, {name}, et dormez bien, vous tous qui avez écouté.
      """,
      """
      Quand la fenêtre fut enfin sombre, un sourire restait sur l’oreiller. Demain serait un autre jour. \
      Mais celui-ci était complet, et {name} rêvait déjà.
      """,
      """
      Ainsi le jour prit fin, lentement, comme une feuille qui se pose à terre. Les étoiles prirent la \
      garde. Et {name} ? Au creux des oreillers, bien au chaud et sans souci, jusqu’au matin.
      """,
    ],
    nouns: nouns([
      ("un bon cœur", "un bon cœur"), ("beaucoup de courage", "le courage"),
      ("une grande curiosité", "la curiosité"), ("une vraie gentillesse", "la gentillesse"),
      ("beaucoup de patience", "la patience"), ("un joli sens de l’humour", "le sens de l’humour"),
      ("une belle imagination", "l’imagination"), ("un esprit vif", "la vivacité d’esprit"),
      ("une voix calme", "le calme"), ("une gaieté contagieuse", "la gaieté"),
      ("une belle persévérance", "la persévérance"), ("une grande générosité", "la générosité"),
      ("le goût de l’aventure", "le goût de l’aventure"), ("une franche honnêteté", "l’honnêteté"),
    ]),
    quotes: ("« ", " »"), and: " et ", spaces: true)
}
